package io.plog.server;

import static io.plog.server.Replies.statusOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.plog.log.Append;
import io.plog.protocol.Status;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import io.plog.server.service.TestService;
import io.plog.server.targets.FakeLog;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** When an event loop forces itself, and when it must not. */
class DedicatedDesignTest extends FakeLogServer {
    private static final int LOGGED = 0;
    private static final int OFF = 1;

    private ServerOptions options(Threads threads) {
        return options(
                logged("disk").withSegmentBytes(1 << 20).withService(() -> threads), TargetOptions.unlogged("off"));
    }

    /** On a log that is durable when the test says so. */
    private PlogServer serve() throws Exception {
        return start(options(new Threads()));
    }

    /** On a real log. */
    private PlogServer serve(Threads threads) throws Exception {
        return startOnDisk(options(threads));
    }

    private static void call(TestClient client, int from, int to) throws Exception {
        for (int i = from; i <= to; i++) {
            assertThat(statusOf(client.call(LOGGED, i, new byte[100]))).isEqualTo(Status.OK);
        }
    }

    @Test
    void theOnlyConnectionsRequestsAreForcedByTheEventLoop() throws Exception {
        Threads threads = new Threads();
        PlogServer started = serve(threads);
        try (TestClient client = TestClient.greeted(started.address())) {
            call(client, 1, 300); // the log's threads may get the first, and then the 64 after it
        }
        assertThat(threads.names).allMatch(name -> name.startsWith("plog-io") || name.startsWith("plog-log"));
        assertThat(threads.names).anyMatch(name -> name.startsWith("plog-io"));
    }

    @Test
    void besideAnotherConnectionTheyAreForcedByTheLogsThreads() throws Exception {
        Threads threads = new Threads();
        PlogServer started = serve(threads);
        try (TestClient client = TestClient.greeted(started.address());
                TestClient idle = TestClient.greeted(started.address())) {
            call(client, 1, 50);
            assertThat(threads.names).allMatch(name -> name.startsWith("plog-log"));
            assertThat(statusOf(idle.call(OFF, 1, new byte[10]))).isEqualTo(Status.OK);
        }
    }

    /** Whatever a disk does to one connection, the event loop serves the others meanwhile. */
    @Test
    void whileARequestWaitsForTheDiskAnotherConnectionIsServed() throws Exception {
        PlogServer started = serve();
        try (TestClient client = TestClient.greeted(started.address());
                TestClient other = TestClient.greeted(started.address())) {
            client.send(TestClient.request(LOGGED, 1, new byte[100]));
            log.awaitAppended(1);
            assertThat(statusOf(other.call(OFF, 1, new byte[100]))).isEqualTo(Status.OK);
            log.makeDurable(1);
            assertThat(statusOf(client.frame())).isEqualTo(Status.OK);
        }
    }

    /** A disk that is stalled keeps no other out: the loop that accepts serves who comes then. */
    @Test
    void whileTheOnlyConnectionsLoopIsWithTheDiskOthersAreAcceptedAndServed() throws Exception {
        PlogServer started = serve();
        try (TestClient client = TestClient.greeted(started.address())) {
            client.send(TestClient.request(LOGGED, 1, new byte[100]));
            log.awaitAppended(1);
            try (TestClient other = TestClient.greeted(started.address())) {
                assertThat(statusOf(other.call(OFF, 1, new byte[100]))).isEqualTo(Status.OK);
                log.makeDurable(1);
                assertThat(statusOf(client.frame())).isEqualTo(Status.OK);
            }
        }
    }

    /** Who was given to the loop that accepts stays with it, also when no other is left; so it may never wait. */
    @Test
    void theLoopThatAcceptsNeverWaitsForADisk() throws Exception {
        PlogServer started = serve();
        TestClient client = TestClient.greeted(started.address());
        client.send(TestClient.request(LOGGED, 1, new byte[100]));
        log.awaitAppended(1);
        try (TestClient accepted = TestClient.greeted(started.address())) {
            log.makeDurable(1);
            assertThat(statusOf(client.frame())).isEqualTo(Status.OK);
            client.close();
            for (int i = 0; i < 200; i++) { // more than it remembers that there was another
                accepted.send(TestClient.request(LOGGED, 2 + i, new byte[100]));
                log.awaitAppended(1);
                if (i % 50 == 49) {
                    try (TestClient third = TestClient.greeted(started.address())) {
                        assertThat(statusOf(third.call(OFF, 1, new byte[100]))).isEqualTo(Status.OK);
                    }
                }
                log.makeDurable(1);
                assertThat(statusOf(accepted.frame())).isEqualTo(Status.OK);
            }
        }
    }

    @Test
    void aConnectionWhoseRequestBreaksTheLoopsWorkIsClosedAndOthersAreServed() throws Exception {
        FakeLog broken = new FakeLog() {
            @Override
            public void appendAndWait(Append append, ByteBuffer... record) {
                throw new AssertionError("put in by a test");
            }
        };
        PlogServer started = PlogServer.start(
                options(new Threads()),
                UnpooledByteBufAllocator.DEFAULT,
                (target, machine, meters) -> target.isLogged() ? broken : null);
        server = started;
        try (TestClient client = TestClient.greeted(started.address())) {
            client.send(TestClient.request(LOGGED, 1, new byte[100]));
            assertThat(client.isAtEnd()).isTrue();
        }
        try (TestClient other = TestClient.greeted(started.address())) {
            assertThat(statusOf(other.call(OFF, 1, new byte[100]))).isEqualTo(Status.OK);
        }
    }

    /** Remembers which threads executed it; it has state, so it executes when a record is durable. */
    private static final class Threads extends TestService {
        final Set<String> names = ConcurrentHashMap.newKeySet();

        @Override
        public void execute(ByteBuf request, int from, ByteBuf reply, int to, int length) {
            names.add(Thread.currentThread().getName());
            super.execute(request, from, reply, to, length);
        }
    }
}
