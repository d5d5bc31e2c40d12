package io.plog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.plog.protocol.Goodbye;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import io.plog.protocol.Transformation;
import java.util.Objects;
import java.util.Random;

/** What tests send and expect of replies. */
final class Replies {
    private Replies() {}

    /** Always the same bytes for a length. */
    static byte[] payload(int bytes) {
        byte[] payload = new byte[bytes];
        new Random(bytes).nextBytes(payload);
        return payload;
    }

    static Status statusOf(ByteBuf reply) {
        return Objects.requireNonNull(Status.ofCode(ReplyHeader.status(reply)));
    }

    static byte[] answerOf(ByteBuf reply) {
        return ByteBufUtil.getBytes(reply, ReplyHeader.BYTES, ReplyHeader.payloadBytes(reply));
    }

    /** It is the answer of the service {@code invert} to this request, as long as that. */
    static void assertAnswers(ByteBuf reply, ByteBuf request) {
        assertThat(statusOf(reply)).as(ReplyHeader.sentence(reply)).isEqualTo(Status.OK);
        assertThat(reply.readableBytes()).isEqualTo(request.readableBytes());
        assertThat(ReplyHeader.client(reply)).isEqualTo(RequestHeader.client(request));
        assertThat(ReplyHeader.request(reply)).isEqualTo(RequestHeader.request(request));
        int bytes = RequestHeader.payloadBytes(request);
        assertThat(Transformation.firstMismatch(request, RequestHeader.BYTES, reply, ReplyHeader.BYTES, bytes))
                .isEqualTo(-1);
    }

    static void assertRefusal(ByteBuf reply, Status status, String sentence) {
        assertThat(statusOf(reply)).isEqualTo(status);
        assertThat(ReplyHeader.sentence(reply)).contains(sentence);
        assertThat(ReplyHeader.logIndex(reply)).isZero();
    }

    static void assertGoodbye(TestClient client, GoodbyeCode code, String reason) throws Exception {
        Goodbye goodbye = client.goodbye();
        assertThat(GoodbyeCode.ofCode(goodbye.code())).isEqualTo(code);
        assertThat(goodbye.reason()).contains(reason);
        assertThat(client.isAtEnd()).isTrue();
    }
}
