package io.plog.server;

import static io.plog.server.Replies.assertGoodbye;
import static io.plog.server.Replies.payload;
import static io.plog.server.Replies.statusOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.buffer.ByteBuf;
import io.plog.log.LogTools;
import io.plog.log.Outcomes;
import io.plog.log.testing.Await;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import io.plog.protocol.Transformation;
import io.plog.server.options.DesignOption;
import io.plog.server.options.ServerOptions;
import io.plog.server.service.BuiltInService;
import io.plog.server.service.BusyService;
import io.plog.server.service.Service;
import io.plog.server.service.TestService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every design keeps, and where each of them waits. */
@ParameterizedClass
@CsvSource({"dedicated,1", "dedicated,4", "inline,1", "inline,4", "threads=3,2", "threads-shared=3,2"})
class DesignsTest extends FakeLogServer {
    private static final int TARGET = 0;

    private final DesignOption design;
    private final int eventLoops;

    DesignsTest(String design, int eventLoops) {
        this.design = DesignOption.parse(design);
        this.eventLoops = eventLoops;
    }

    private ServerOptions options(Supplier<? extends Service> service) {
        return options(logged("disk").withSegmentBytes(1 << 20).withService(service))
                .withEventLoops(eventLoops)
                .withDesign(design);
    }

    /** On a log that is durable when the test says so. */
    private PlogServer serve() throws Exception {
        return start(options(BuiltInService.INVERT));
    }

    /** On a real log, whose disk may be slow meanwhile: nothing is refused for that. */
    private PlogServer serve(Supplier<? extends Service> service) throws Exception {
        return startOnDisk(options(service).withMaxWait(Duration.ofSeconds(30)));
    }

    /** A reply that left before the log reported the outcome could not know what the log says of the record. */
    @Test
    void everyReplyKnowsWhatTheLogReportedOfItsForce() throws Exception {
        try (TestClient client = TestClient.greeted(serve().address())) {
            for (int i = 1; i <= 20; i++) {
                client.send(TestClient.request(TARGET, i, payload(i * 100)));
                log.awaitAppended(1);
                assertThat(client.available()).isZero();
                log.makeDurable(1);
                ByteBuf reply = client.frame();
                assertThat(statusOf(reply)).isEqualTo(Status.OK);
                assertThat(ReplyHeader.logIndex(reply)).isEqualTo(i);
                assertThat(ReplyHeader.waitingNanos(reply)).isPositive();
                assertThat(ReplyHeader.batchWaitNanos(reply)).isEqualTo(2);
                assertThat(ReplyHeader.writeNanos(reply)).isEqualTo(3);
                assertThat(ReplyHeader.forceNanos(reply)).isEqualTo(4);
                assertThat(ReplyHeader.executionNanos(reply)).isPositive();
                assertThat(ReplyHeader.residenceNanos(reply))
                        .isGreaterThanOrEqualTo(ReplyHeader.waitingNanos(reply)
                                + ReplyHeader.forceNanos(reply)
                                + ReplyHeader.executionNanos(reply));
            }
            log.refuse(Outcomes.overloaded());
            assertThat(statusOf(client.call(TARGET, 21, payload(100)))).isEqualTo(Status.OVERLOADED);
            log.refuse(null);
            client.send(TestClient.request(TARGET, 21, payload(100)));
            log.fail(Outcomes.failedForGood());
            assertThat(statusOf(client.frame())).isEqualTo(Status.LOG_FAILED);
        }
    }

    /** During the force it has happened while the record is still on its way; after it, not before the record is durable. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aServiceExecutesDuringTheForceOrAfterItAsItSays(boolean after) throws Exception {
        AtomicInteger executed = new AtomicInteger();
        Service counting = new TestService() {
            @Override
            public boolean isStateless() {
                return true;
            }

            @Override
            public void execute(ByteBuf request, int from, ByteBuf reply, int to, int length) {
                executed.incrementAndGet();
                super.execute(request, from, reply, to, length);
            }
        };
        PlogServer started = start(options(() -> new BusyService(counting, 1_000, after)));
        try (TestClient client = TestClient.greeted(started.address());
                TestClient other = TestClient.greeted(started.address())) { // or the loop would wait, too
            boolean dedicated = design.equals(DesignOption.parse("dedicated"));
            // The dedicated design is done with a request when it appends the next; the others wait within it.
            int outstanding = dedicated ? 2 : 1;
            for (int i = 1; i <= outstanding; i++) {
                client.send(TestClient.request(TARGET, i, payload(100)));
            }
            log.awaitAppended(outstanding);
            if (after) {
                assertThat(executed).hasValue(0);
            } else if (dedicated) {
                assertThat(executed).hasValueGreaterThanOrEqualTo(1);
            }
            log.makeDurable(outstanding);
            for (int i = 1; i <= outstanding; i++) {
                ByteBuf reply = client.frame();
                assertThat(statusOf(reply)).isEqualTo(Status.OK);
                assertThat(ReplyHeader.executionNanos(reply)).isGreaterThanOrEqualTo(1_000);
            }
            assertThat(executed).hasValue(outstanding);
            assertThat(other.available()).isZero();
        }
        assertThat(new BusyService(BuiltInService.CHAIN.get(), 0, false).executesAfterForce())
                .isTrue();
    }

    @Test
    void manyConnectionsAreServedInOrderAndAllIsInTheLogOnce() throws Exception {
        int each = 100;
        int most = 3; // at once
        Set<Long> indices = ConcurrentHashMap.newKeySet();
        PlogServer started = serve(BuiltInService.INVERT);
        long seed = System.nanoTime();
        List<Callable<Void>> clients = new ArrayList<>();
        for (int c = 0; c < 6; c++) {
            Random random = new Random(seed + c);
            long client = c;
            clients.add(() -> {
                try (TestClient connection = TestClient.greeted(started.address())) {
                    int outstanding = 1 + random.nextInt(8);
                    for (int i = 0; i < each + outstanding; i++) {
                        if (i < each) {
                            connection.send(request(client, i, payload(random.nextInt(3_000))));
                        }
                        if (i >= outstanding) {
                            indices.add(checked(connection.frame(), client, i - outstanding, seed));
                        }
                    }
                }
                return null;
            });
        }
        run(clients, most);
        int records = each * clients.size();
        assertThat(indices)
                .as("seed %d", seed)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, records).boxed().toList());
        started.close();
        assertThat(LogTools.inspect(directory).records()).isEqualTo(records);
    }

    private static void run(List<Callable<Void>> work, int threads) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            for (Future<Void> done : pool.invokeAll(work)) {
                done.get();
            }
        } finally {
            pool.shutdown();
        }
    }

    private static ByteBuf request(long client, long number, byte[] payload) {
        return TestClient.request(TARGET, number, payload).setLong(72, client);
    }

    private long checked(ByteBuf reply, long client, long number, long seed) {
        assertThat(statusOf(reply)).as("seed %d", seed).isEqualTo(Status.OK);
        assertThat(ReplyHeader.client(reply)).isEqualTo(client);
        assertThat(ReplyHeader.request(reply)).isEqualTo(number);
        int size = ReplyHeader.payloadBytes(reply);
        ByteBuf sent = request(client, number, payload(size));
        assertThat(Transformation.firstMismatch(sent, 88, reply, 88, size)).isEqualTo(-1);
        if (design.forcesAlone()) {
            assertThat(ReplyHeader.batchRecords(reply)).as("seed %d", seed).isEqualTo(1);
        }
        return ReplyHeader.logIndex(reply);
    }

    /** A service with state is executed by the thread that forced the record; it ends when enough were as designed. */
    @Test
    void theForceIsWhereTheDesignSays() throws Exception {
        Where where = new Where();
        PlogServer started = serve(() -> where);
        Pattern expected = Pattern.compile(
                switch (design.kind()) {
                    case DEDICATED -> "plog-io.*|plog-log.*";
                    case INLINE -> "plog-io.*";
                    case THREADS -> "plog-connection-[012]";
                    case THREADS_SHARED -> "plog-connection-[012]|plog-log.*";
                });
        List<Callable<Void>> clients = new ArrayList<>();
        for (int c = 0; c < 3; c++) {
            long client = c;
            clients.add(() -> {
                try (TestClient connection = TestClient.greeted(started.address())) {
                    for (int i = 0; where.executionsOn(expected) < 100; i++) {
                        connection.send(request(client, i, payload(100)));
                        assertThat(statusOf(connection.frame())).isEqualTo(Status.OK);
                    }
                }
                return null;
            });
        }
        run(clients, 3);
        // A log's own thread takes records along as long as it is awake, at the start or for the mark of a log at rest:
        // how many those are depends on how busy the machine is.
        assertThat(where.executions.keySet())
                .allMatch(name ->
                        name.startsWith("plog-log") || expected.matcher(name).matches());
    }

    @Test
    void aRepeatGetsTheAnswerThatWasGiven() throws Exception {
        PlogServer started = serve(BuiltInService.CHAIN);
        try (TestClient first = TestClient.greeted(started.address());
                TestClient second = TestClient.greeted(started.address())) {
            for (int i = 1; i <= 20; i++) {
                ByteBuf request = TestClient.request(TARGET, i, payload(200));
                first.send(request);
                second.send(request);
                ByteBuf one = first.frame();
                ByteBuf other = second.frame();
                assertThat(ReplyHeader.logIndex(one)).isEqualTo(i);
                assertThat(ReplyHeader.logIndex(other)).isEqualTo(i);
                assertThat(one.slice(88, 200)).isEqualTo(other.slice(88, 200));
            }
        }
    }

    @Test
    void readsAndUnloggedRequestsAreAnswered() throws Exception {
        PlogServer started = serve(BuiltInService.INVERT);
        try (TestClient client = TestClient.greeted(started.address())) {
            for (int i = 0; i < 20; i++) {
                byte[] payload = payload(1_000 * i);
                ByteBuf read = TestClient.request(TARGET, i, payload);
                RequestHeader.setReadOnly(read, i % 2 == 0);
                client.send(read);
                ByteBuf reply = client.frame();
                assertThat(statusOf(reply)).isEqualTo(Status.OK);
                assertThat(ReplyHeader.logIndex(reply)).isEqualTo(i % 2 == 0 ? 0 : (i + 1) / 2);
                assertThat(ReplyHeader.executionNanos(reply)).isPositive();
                assertThat(Transformation.firstMismatch(read, 88, reply, 88, payload.length))
                        .isEqualTo(-1);
            }
        }
    }

    @Test
    void aClientThatGoesAwayWhileItsRequestIsForcedDisturbsNoOther() throws Exception {
        PlogServer started = serve();
        for (int i = 0; i < 6; i++) {
            try (TestClient client = TestClient.greeted(started.address())) {
                client.send(TestClient.request(TARGET, i, payload(i * 20_000)));
                log.awaitAppended(1);
            }
            log.makeDurable(1);
        }
        try (TestClient other = TestClient.greeted(started.address())) {
            other.send(TestClient.request(TARGET, 100, payload(100)));
            log.makeDurable(1);
            ByteBuf reply = other.frame();
            assertThat(statusOf(reply)).isEqualTo(Status.OK);
            assertThat(ReplyHeader.logIndex(reply)).isEqualTo(7);
        }
    }

    @Test
    void closingAnswersWhatWasAppendedAndRefusesTheRest() throws Exception {
        assumeThat(design.kind())
                .isNotEqualTo(DesignOption.Kind.INLINE); // its loop is with the log, and so is no other
        PlogServer started = serve();
        try (TestClient client = TestClient.greeted(started.address());
                TestClient other = TestClient.greeted(started.address())) {
            for (int i = 0; i < 10; i++) {
                client.send(TestClient.request(TARGET, i, payload(1_000)));
            }
            client.send(TestClient.request(99, 0, payload(0))); // refused at once, so everything before it was taken
            assertThat(statusOf(client.frame())).isEqualTo(Status.UNKNOWN_TARGET);
            log.awaitAppended(1);
            started.close();
            for (int i = 0; i < 10; i++) {
                ByteBuf reply = client.frame();
                assertThat(ReplyHeader.request(reply)).isEqualTo(i);
                boolean appended = i == 0 || design.kind() == DesignOption.Kind.DEDICATED; // since two are open
                assertThat(statusOf(reply)).isEqualTo(appended ? Status.OK : Status.SHUTTING_DOWN);
            }
            assertGoodbye(client, GoodbyeCode.SHUTTING_DOWN, "closing");
            assertGoodbye(other, GoodbyeCode.SHUTTING_DOWN, "closing");
            assertThat(log.isClosed()).isTrue();
        }
    }

    @Test
    void connectionsBeyondTheThreadsWaitUnreadAndAreServedWhenOneIsFree() throws Exception {
        assumeThat(design.threads()).isPositive();
        PlogServer started = serve(BuiltInService.INVERT);
        List<TestClient> idle = new ArrayList<>();
        for (int i = 0; i < design.threads(); i++) {
            idle.add(TestClient.greeted(started.address()));
        }
        List<TestClient> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            TestClient client = new TestClient(started.address());
            client.sendHello();
            waiting.add(client);
            int connected = idle.size() + waiting.size();
            Await.until(() -> started.context().connections().count() >= connected); // event loops keep the order
        }
        // One that is served on each event loop shows that the server had its chance.
        for (int i = 0; i < 20; i++) {
            for (TestClient each : idle.subList(0, eventLoops)) {
                assertThat(statusOf(each.call(TARGET, i, payload(10)))).isEqualTo(Status.OK);
            }
        }
        assertThat(waiting).allMatch(client -> client.available() == 0, "has heard nothing");
        waiting.get(1).close(); // one that gives up while it waits
        idle.get(1).close();
        waiting.get(0).welcome();
        waiting.get(0).send(TestClient.request(TARGET, 100, payload(10)));
        assertThat(statusOf(waiting.get(0).frame())).isEqualTo(Status.OK);
        waiting.get(0).close();
        waiting.get(2).welcome();
        started.close(); // with two that are idle, one that was served, and two that wait unread
        for (TestClient client : List.of(idle.get(0), idle.get(2), waiting.get(2), waiting.get(3), waiting.get(4))) {
            assertGoodbye(client, GoodbyeCode.SHUTTING_DOWN, "closing");
            client.close();
        }
    }

    /** Notes who executes it. */
    private static final class Where extends TestService {
        private final Map<String, Integer> executions = new ConcurrentHashMap<>();

        int executionsOn(Pattern threads) {
            return executions.entrySet().stream()
                    .filter(each -> threads.matcher(each.getKey()).matches())
                    .mapToInt(Map.Entry::getValue)
                    .sum();
        }

        @Override
        public void execute(ByteBuf request, int from, ByteBuf reply, int to, int length) {
            executions.merge(Thread.currentThread().getName(), 1, Integer::sum);
            super.execute(request, from, reply, to, length);
        }
    }
}
