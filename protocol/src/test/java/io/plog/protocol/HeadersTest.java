package io.plog.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** The bytes of REQUEST and REPLY, as docs/protocol.md draws them. */
class HeadersTest {
    private static final String ENVELOPE_IDS = "1122334455667788 99aabbccddeeff00";
    private static final String REQUEST =
            Bytes.hex("00000057 03 00 0005", "00".repeat(56), "01 00000000000000", ENVELOPE_IDS, "00ff7f");
    private static final String REPLY = Bytes.hex(
            "00000057 04 00 0000",
            "0000000000000009 0000000000000001 0000000000000002 0000000000000003 0000000000000004",
            "0000000000000005 0000000000000006 00000007 00000000",
            ENVELOPE_IDS,
            "ff0080");

    private static ByteBuf request() {
        return Bytes.request(5, 0x1122334455667788L, 0x99aabbccddeeff00L, new byte[] {0, -1, 127});
    }

    private static ByteBuf reply() {
        ByteBuf request = request();
        ByteBuf reply = Unpooled.buffer(request.readableBytes());
        ReplyHeader.begin(reply, request);
        reply.writerIndex(request.readableBytes());
        Transformation.invert(request, RequestHeader.BYTES, reply, ReplyHeader.BYTES, 3);
        return reply;
    }

    @Test
    void requestHasTheBytesOfTheSpecification() throws Exception {
        ByteBuf frame = request();
        assertThat(Bytes.hex(frame)).isEqualTo(REQUEST);
        RequestHeader.checkReserved(frame);
        assertThat(Frame.type(frame)).isEqualTo(FrameType.REQUEST.code());
        assertThat(Frame.flags(frame)).isZero();
        assertThat(RequestHeader.target(frame)).isEqualTo(5);
        assertThat(RequestHeader.recordKind(frame)).isEqualTo(RequestRecord.KIND);
        assertThat(RequestHeader.client(frame)).isEqualTo(0x1122334455667788L);
        assertThat(RequestHeader.request(frame)).isEqualTo(0x99aabbccddeeff00L);
        assertThat(RequestHeader.payloadBytes(frame)).isEqualTo(3);
    }

    @Test
    void replyHasTheBytesOfTheSpecification() {
        ByteBuf reply = reply();
        ReplyHeader.setLogged(reply, 9, 1, 2, 3, 4, 7);
        ReplyHeader.setExecutionNanos(reply, 5);
        ReplyHeader.setResidenceNanos(reply, 6);
        assertThat(Bytes.hex(reply)).isEqualTo(REPLY);
        assertThat(ReplyHeader.status(reply)).isEqualTo(Status.OK.code());
        assertThat(ReplyHeader.logIndex(reply)).isEqualTo(9);
        assertThat(ReplyHeader.waitingNanos(reply)).isEqualTo(1);
        assertThat(ReplyHeader.batchWaitNanos(reply)).isEqualTo(2);
        assertThat(ReplyHeader.writeNanos(reply)).isEqualTo(3);
        assertThat(ReplyHeader.forceNanos(reply)).isEqualTo(4);
        assertThat(ReplyHeader.executionNanos(reply)).isEqualTo(5);
        assertThat(ReplyHeader.residenceNanos(reply)).isEqualTo(6);
        assertThat(ReplyHeader.batchRecords(reply)).isEqualTo(7);
        assertThat(ReplyHeader.client(reply)).isEqualTo(0x1122334455667788L);
        assertThat(ReplyHeader.request(reply)).isEqualTo(0x99aabbccddeeff00L);
        assertThat(ReplyHeader.payloadBytes(reply)).isEqualTo(3);
    }

    @Test
    void accessorsCountFromTheReaderIndex() {
        ByteBuf shifted = Unpooled.buffer().writeZero(13).writeBytes(request()).skipBytes(13);
        assertThat(RequestHeader.target(shifted)).isEqualTo(5);
        assertThat(RequestHeader.request(shifted)).isEqualTo(0x99aabbccddeeff00L);
        ByteBuf reply = Unpooled.buffer().writeZero(7).skipBytes(7);
        ReplyHeader.begin(reply, shifted);
        assertThat(ReplyHeader.client(reply)).isEqualTo(0x1122334455667788L);
        assertThat(reply.readableBytes()).isEqualTo(ReplyHeader.BYTES);
    }

    @Test
    void refusalIsAsLongAsItsSentenceWhateverItsRequestsLength() {
        for (int bytes : new int[] {0, 5, 5_000}) {
            ByteBuf refusal = refusal(bytes, "later é");
            assertThat(ReplyHeader.status(refusal)).isEqualTo(2);
            assertThat(ReplyHeader.sentence(refusal)).isEqualTo("later é");
            assertThat(refusal.readableBytes()).isEqualTo(88 + 8);
            assertThat(refusal.getInt(0)).isEqualTo(84 + 8);
            assertThat(ReplyHeader.request(refusal)).isEqualTo(2);
        }
    }

    @Test
    void refusalCutsItsSentenceBetweenTwoCharacters() {
        String longest = "a".repeat(ReplyHeader.MAX_SENTENCE_BYTES - 1);
        assertThat(ReplyHeader.sentence(refusal(0, longest + "b"))).isEqualTo(longest + "b");
        assertThat(ReplyHeader.sentence(refusal(0, longest + "é"))).isEqualTo(longest);
    }

    private static ByteBuf refusal(int requestBytes, String sentence) {
        ByteBuf reply = Unpooled.buffer();
        ReplyHeader.begin(reply, Bytes.request(0, 1, 2, new byte[requestBytes]));
        ByteBuf refusal = ReplyHeader.refusal(reply.writeZero(requestBytes), Status.OVERLOADED, sentence);
        try {
            return Unpooled.copiedBuffer(refusal);
        } finally {
            refusal.release();
        }
    }

    @Test
    void theStatusesOfAReplicatedLogSayForCertainThatNothingWasExecuted() {
        assertThat(Status.NOT_SERVING.code()).isEqualTo(12);
        assertThat(Status.NO_QUORUM.code()).isEqualTo(13);
        assertThat(Status.NOT_ALLOWED.code()).isEqualTo(14);
        assertThat(Status.NOT_SERVING.isIndeterminate()).isFalse();
        assertThat(Status.NO_QUORUM.isIndeterminate()).isFalse();
    }

    @Test
    void everyReservedByteThatIsNotZeroIsMalformed() {
        for (int at = 8; at < 72; at++) {
            if (at == 64) {
                continue; // the record's kind
            }
            ByteBuf frame = request().setByte(at, 0x80);
            assertThatExceptionOfType(ProtocolException.class)
                    .as("byte " + at)
                    .isThrownBy(() -> RequestHeader.checkReserved(frame));
        }
    }

    @Test
    void theRecordIsTheEndOfTheRequest() {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            ByteBuf frame = request();
            ByteBuffer bytes = frame.nioBuffer(RequestHeader.RECORD, frame.readableBytes() - RequestHeader.RECORD)
                    .order(order);
            assertThat(RequestRecord.isRequest(bytes)).isTrue();
            assertThat(RequestRecord.client(bytes)).isEqualTo(0x1122334455667788L);
            assertThat(RequestRecord.request(bytes)).isEqualTo(0x99aabbccddeeff00L);
            assertThat(RequestRecord.payload(bytes)).isEqualTo(ByteBuffer.wrap(new byte[] {0, -1, 127}));
        }
    }

    @Test
    void aShortRecordOrOneOfAnotherKindIsNotARequest() {
        assertThat(RequestRecord.isRequest(ByteBuffer.allocate(23).put(0, (byte) 1)))
                .isFalse();
        assertThat(RequestRecord.isRequest(ByteBuffer.allocate(24).put(0, (byte) 2)))
                .isFalse();
        assertThat(RequestRecord.isRequest(ByteBuffer.allocate(24).put(0, (byte) 1)))
                .isTrue();
    }
}
