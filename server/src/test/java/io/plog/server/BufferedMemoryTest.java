package io.plog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.log.testing.Await;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.server.connection.Connection;
import io.plog.server.options.TargetOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What clients hold of a server's memory by sending and not reading: bounded for all of them together, and given back. */
@Timeout(120)
final class BufferedMemoryTest extends FakeLogServer {
    private static final int OFF = 0;
    private static final int LOGGED = 1;
    private static final int PAYLOAD = 60_000;
    private static final int HOGS = 30;
    private static final int REQUESTS = 60;
    private static final int BOUND = 2 << 20;

    /** What a connection reads before it is stopped, with the reply that it may have. */
    private static final int IN_ONE_GO = 2 * (64 << 10);

    /** What comes on top for each connection, as the documents have it. */
    private static final int OF_EACH = 256 << 10;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private long nextClient = 1_000;
    private final List<TestClient> hogs = new ArrayList<>();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @BeforeEach
    void start() throws Exception {
        start(options(TargetOptions.unlogged("off"), logged("disk"))
                .withLimits(64 << 10, 200, 1_024, 8 << 20)
                .withMaxBufferedBytes(BOUND)
                .withPatience(Duration.ofMinutes(5))); // or a machine under load ends hogs before all are stopped
    }

    private int throttled() {
        AtomicInteger throttled = new AtomicInteger();
        server.context()
                .connections()
                .onEach(
                        connection -> throttled.addAndGet(((Connection) connection).isThrottled() ? 1 : 0),
                        () -> TimeUnit.SECONDS.toNanos(10));
        return throttled.get();
    }

    /** Each is a client of its own, so that no request is a repeat of another's. */
    private static ByteBuf request(int target, long client, int number) {
        ByteBuf frame = Unpooled.buffer(RequestHeader.BYTES + PAYLOAD);
        RequestHeader.write(frame, target, client, number, PAYLOAD);
        return frame.writeZero(PAYLOAD);
    }

    /** Sends all it has, and blocks when the server does not read it any more. */
    private Future<?> send(TestClient hog, int target, int requests) {
        long client = nextClient++;
        return threads.submit(() -> {
            for (int i = 1; i <= requests; i++) {
                hog.send(request(target, client, i));
            }
            return null;
        });
    }

    @Test
    void whatIsUnderWayStaysBelowTheBoundAndANeighbourIsServed() throws Exception {
        List<Future<?>> sending = new ArrayList<>();
        for (int i = 0; i < HOGS; i++) {
            hogs.add(TestClient.greeted(server.address())); // all before one sends: alone, its event loop would wait
        }
        for (TestClient hog : hogs) {
            sending.add(send(hog, LOGGED, REQUESTS));
        }
        Await.until(() -> server.context().budget().waiting() == HOGS);
        assertThat(server.context().budget().used()).isLessThanOrEqualTo(BOUND + HOGS * IN_ONE_GO);
        assertThat(allocator.metric().usedDirectMemory()).isLessThan(BOUND + (HOGS + 1) * OF_EACH);
        try (TestClient neighbour = TestClient.greeted(server.address())) {
            for (int i = 1; i <= 20; i++) {
                assertThat(ReplyHeader.request(neighbour.call(OFF, i, new byte[1_000])))
                        .isEqualTo(i);
            }
        }
        // No connection is stuck: as soon as the log goes on, all of it is read, and all of it is answered.
        Future<?> logging = threads.submit(() -> {
            for (int i = 0; i < HOGS * REQUESTS; i++) {
                log.makeDurable(1);
            }
            return null;
        });
        for (TestClient hog : hogs) {
            for (int i = 0; i < REQUESTS; i++) {
                assertThat(hog.frame().readableBytes()).isEqualTo(RequestHeader.BYTES + PAYLOAD);
            }
        }
        logging.get();
        for (Future<?> each : sending) {
            each.get();
        }
        Await.until(() -> server.context().budget().used() == 0);
        assertThat(server.context().budget().waiting()).isZero();
        for (TestClient hog : hogs) {
            hog.close();
        }
    }

    @Test
    void repliesThatAreNotReadStayBelowTheBoundAndAreGivenBack() throws Exception {
        List<Future<?>> sending = new ArrayList<>();
        for (int i = 0; i < HOGS; i++) {
            TestClient hog = TestClient.greeted(server.address());
            hogs.add(hog);
            sending.add(send(hog, OFF, Integer.MAX_VALUE));
        }
        Await.until(() -> throttled() == HOGS);
        try (TestClient neighbour = TestClient.greeted(server.address())) {
            for (int i = 1; i <= 200; i++) {
                assertThat(ReplyHeader.request(neighbour.call(OFF, i, new byte[1_000])))
                        .isEqualTo(i);
                assertThat(server.context().budget().used()).isLessThanOrEqualTo(BOUND + HOGS * IN_ONE_GO);
                assertThat(allocator.metric().usedDirectMemory()).isLessThan(BOUND + (HOGS + 1) * OF_EACH);
            }
        }
        for (TestClient hog : hogs) {
            hog.close();
        }
        Await.until(() -> sending.stream().allMatch(Future::isDone));
        Await.until(() -> server.context().budget().used() == 0);
    }

    /** Sends the beginning of a frame of this payload, and no more of it. */
    private void sendHalf(int payload) throws Exception {
        TestClient hog = TestClient.greeted(server.address());
        hogs.add(hog);
        ByteBuf half = Unpooled.buffer();
        RequestHeader.write(half, OFF, nextClient++, 1, payload);
        half.writeZero(payload / 2);
        Future<?> ignored = threads.submit(() -> {
            hog.send(half); // blocks when the server does not read it any more
            return null;
        });
    }

    /** A frame that was given what others wait for must go on arriving; if it does not, it gives way long before the patience. */
    @Test
    void aStalledFrameThatHoldsOthersUpGivesWay() throws Exception {
        for (int i = 0; i < 40; i++) {
            sendHalf(64 << 10);
        }
        Await.until(() -> server.context().budget().waiting() > 0);
        ByteBuf whole = Unpooled.buffer();
        RequestHeader.write(whole, OFF, 2, 1, 64 << 10);
        whole.writeZero(64 << 10);
        try (TestClient neighbour = TestClient.greeted(server.address())) {
            neighbour.send(whole);
            assertThat(ReplyHeader.request(neighbour.frame())).isEqualTo(1);
        }
    }
}
