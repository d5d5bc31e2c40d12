package io.plog.server;

import static io.plog.server.Replies.payload;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.protocol.Frame;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import io.plog.protocol.Transformation;
import io.plog.server.service.BuiltInService;
import io.plog.server.service.Chain;
import io.plog.server.service.Service;
import io.plog.server.service.TestService;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Requests that change nothing are executed on what is durable, and leave nothing behind. */
class ReadOnlyTest extends FakeLogServer {
    private TestClient serve(Supplier<? extends Service> service) throws Exception {
        return new TestClient(
                start(options(logged("disk").withService(service))).address());
    }

    private static ByteBuf read(long number, byte[] payload) {
        ByteBuf frame = TestClient.request(0, number, payload);
        RequestHeader.setReadOnly(frame, true);
        return frame;
    }

    @Test
    void aReadIsExecutedAndNotLoggedAndNotRemembered() throws Exception {
        try (TestClient client = serve(BuiltInService.INVERT)) {
            assertThat(client.hello().targets().get(0).facts()).containsEntry("readOnlyRequests", "yes");
            for (int size : new int[] {0, 1, 1_000, 1 << 20}) {
                ByteBuf request = read(7, payload(size)); // the same number for different requests: no check minds
                client.send(request);
                ByteBuf reply = client.frame();
                assertThat(ReplyHeader.status(reply)).isZero();
                assertThat(Frame.flags(reply)).isEqualTo(RequestHeader.FLAG_READ_ONLY);
                assertThat(ReplyHeader.logIndex(reply)).isZero();
                assertThat(ReplyHeader.batchRecords(reply)).isZero();
                assertThat(ReplyHeader.waitingNanos(reply) + ReplyHeader.writeNanos(reply))
                        .isZero();
                assertThat(ReplyHeader.executionNanos(reply)).isPositive();
                assertThat(ReplyHeader.residenceNanos(reply)).isGreaterThan(ReplyHeader.executionNanos(reply));
                assertThat(Transformation.firstMismatch(request, 88, reply, 88, size))
                        .isEqualTo(-1);
            }
            assertThat(log.queuedRecords()).isZero();
            // Its number is new to the table of answers.
            client.send(TestClient.request(0, 7, payload(10)));
            log.makeDurable(1);
            ByteBuf reply = client.frame();
            assertThat(ReplyHeader.status(reply)).isZero();
            assertThat(ReplyHeader.logIndex(reply)).isEqualTo(1);
        }
    }

    @Test
    void aReadOfAServiceWithStateSeesWhatIsDurableAndChangesNothing() throws Exception {
        try (TestClient client = serve(BuiltInService.CHAIN);
                TestClient other = new TestClient(server.address())) { // or its event loop would wait for the disk
            assertThat(client.hello().targets().get(0).facts()).containsEntry("readOnlyRequests", "yes");
            long state = Chain.INITIAL_STATE;
            for (int i = 1; i <= 5; i++) {
                byte[] payload = payload(100 + i);
                client.send(TestClient.request(0, i, payload));
                // Appended and not durable: no client may see it.
                assertThat(other.available()).isZero();
                client.send(read(i, payload));
                assertAnswer(client.frame(), state, payload, 0);
                state = Chain.next(state, Unpooled.wrappedBuffer(payload), 0, payload.length);
                log.makeDurable(1);
                assertAnswer(client.frame(), state, payload, i);
                for (int again = 0; again < 3; again++) {
                    client.send(read(i, payload));
                    assertAnswer(client.frame(), state, payload, 0);
                }
            }
            assertThat(log.durable()).hasSize(5);
        }
    }

    private static void assertAnswer(ByteBuf reply, long state, byte[] payload, long index) {
        assertThat(ReplyHeader.status(reply)).isZero();
        assertThat(ReplyHeader.logIndex(reply)).isEqualTo(index);
        ByteBuf expected = Unpooled.buffer(payload.length).writerIndex(payload.length);
        Chain.answer(state, Unpooled.wrappedBuffer(payload), 0, expected, 0, payload.length);
        assertThat(reply.slice(88, payload.length)).isEqualTo(expected);
    }

    @Test
    void whatTheServiceDoesNotTakeIsRefusedAndNotExecuted() throws Exception {
        try (TestClient client = serve(Counting::new)) {
            assertThat(client.hello().targets().get(0).facts()).containsEntry("readOnlyRequests", "no");
            client.send(read(1, payload(200)));
            ByteBuf reply = client.frame();
            assertThat(Status.ofCode(ReplyHeader.status(reply))).isEqualTo(Status.UNSUPPORTED);
            assertThat(ReplyHeader.sentence(reply))
                    .isEqualTo("the service test of target disk does not take this request as read-only: send it"
                            + " without the flag, to be logged");
            client.send(TestClient.request(0, 1, payload(200)));
            log.makeDurable(1);
            reply = client.frame();
            assertThat(ReplyHeader.status(reply)).isZero();
            assertThat(reply.getByte(88)).isEqualTo((byte) 1); // the refused one did not count
        }
    }

    @Test
    void aReadThatThrowsFailsTheTarget() throws Exception {
        try (TestClient client = serve(Throwing::new)) {
            client.hello();
            for (int i = 0; i < 2; i++) {
                client.send(read(1, payload(200)));
                ByteBuf reply = client.frame();
                assertThat(Status.ofCode(ReplyHeader.status(reply))).isEqualTo(Status.FAILED);
            }
        }
    }

    /** Takes no reads. */
    private static final class Counting extends TestService {
        private byte count;

        @Override
        public void execute(ByteBuf request, int from, ByteBuf reply, int to, int length) {
            super.execute(request, from, reply, to, length);
            reply.setByte(to, ++count);
        }
    }

    private static final class Throwing extends TestService {
        @Override
        public boolean takesReads() {
            return true;
        }

        @Override
        public void read(ByteBuf request, int from, ByteBuf reply, int to, int length) {
            throw new IllegalStateException("on purpose");
        }
    }
}
