package io.plog.measure.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.plog.client.ClientOptions;
import io.plog.client.FakeServer;
import io.plog.measure.PlanException;
import io.plog.measure.ProgressListener;
import io.plog.measure.Resumption;
import io.plog.measure.plan.Arrivals;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.LoadMode;
import io.plog.measure.plan.Loop;
import io.plog.measure.plan.Mix;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.TrialRecord;
import io.plog.protocol.Frame;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Welcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoadRunTest {
    @TempDir
    private Path directory;

    private static Load plan(FakeServer server) {
        return Load.on("127.0.0.1:" + server.port(), "a")
                .warmUp(Duration.ZERO)
                .duration(Duration.ofMillis(500))
                .seed(42);
    }

    private LoadRun.Outcome run(Load plan) throws IOException, PlanException {
        return LoadRun.open(LoadOrder.of(plan)).run(directory.resolve("samples.plog"), ProgressListener.NONE);
    }

    private static ProgressListener whenTwentyWait(CountDownLatch gate) {
        return now -> {
            Matcher waiting = Pattern.compile("([\\d,]+) without reply").matcher(now.line());
            if (waiting.find() && Integer.parseInt(waiting.group(1).replace(",", "")) >= 20) {
                gate.countDown();
            }
        };
    }

    /** A sample with its cell. */
    private record Sample(CellKey cell, Map<Column, Long> columns) {
        long get(Column column) {
            return columns.getOrDefault(column, 0L);
        }

        long end() {
            return get(Column.SENT) + get(Column.END_TO_END);
        }
    }

    /** All samples by intended time. */
    private static List<Sample> samples(LoadRun.Outcome outcome) throws IOException {
        List<Sample> all = new ArrayList<>();
        try (SampleFileReader reader = SampleFileReader.open(outcome.samples())) {
            for (CellKey cell : reader.cells()) {
                Samples samples = reader.samples(cell);
                long before = Long.MIN_VALUE;
                for (int i = 0; i < samples.count(); i++) {
                    Map<Column, Long> columns = new TreeMap<>();
                    for (Column column : Column.values()) {
                        columns.put(column, samples.get(column, i));
                    }
                    assertThat(samples.get(Column.SENT, i))
                            .as("order of sending")
                            .isGreaterThanOrEqualTo(before);
                    before = samples.get(Column.SENT, i);
                    all.add(new Sample(cell, columns));
                }
            }
        }
        all.sort(Comparator.comparingLong(sample -> sample.get(Column.INTENDED)));
        return all;
    }

    private static Set<List<Long>> identities(List<ByteBuf> requests) {
        Set<List<Long>> identities = new HashSet<>();
        requests.forEach(
                request -> identities.add(List.of(RequestHeader.client(request), RequestHeader.request(request))));
        return identities;
    }

    @Test
    void aClosedLoopSendsExactlyItsRequestsAndKeepsSoManyUnderWay() throws Exception {
        try (FakeServer server = FakeServer.good()) {
            LoadRun.Outcome outcome = run(plan(server)
                    .closed(3, 4)
                    .requests(500)
                    .mix(Mix.parse("3=1,100=1,20k=1"))
                    .checked());
            assertThat(outcome.end().partial()).as(outcome.end().reason()).isFalse();
            List<Sample> samples = samples(outcome);
            assertThat(samples).hasSize(500);
            assertThat(server.requests()).hasSize(500);
            assertThat(identities(server.requests())).hasSize(500);
            assertThat(outcome.summary().accepted()).isEqualTo(500);
            assertThat(outcome.summary().mostOutstanding()).isEqualTo(12);
            assertThat(outcome.summary().offeredPerSecond()).isNull();
            assertThat(samples).allMatch(sample -> sample.get(Column.STATUS) == Status.OK.code());
            assertThat(samples)
                    .extracting(sample -> sample.cell().payloadBytes())
                    .contains(3, 100, 20_000);
            assertThat(samples)
                    .allMatch(sample ->
                            sample.get(Column.PAYLOAD_BYTES) == sample.cell().payloadBytes());
        }
    }

    @Test
    void anOpenLoopSendsAtItsIntendedTimesWhateverComesBack() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        BiFunction<ByteBuf, Long, List<ByteBuf>> stalling = (request, count) -> {
            if (count == 10) {
                await(gate);
            }
            return List.of(FakeServer.reply(request));
        };
        try (FakeServer server = FakeServer.answering(stalling)) {
            Load plan = plan(server)
                    .loop(new Loop.Open(1, 200, Arrivals.CONSTANT))
                    .duration(Duration.ofSeconds(2))
                    .checked();
            // The stall ends when requests have gathered behind it.
            LoadRun.Outcome outcome =
                    LoadRun.open(LoadOrder.of(plan)).run(directory.resolve("samples.plog"), whenTwentyWait(gate));
            List<Sample> samples = samples(outcome);
            assertThat(samples).hasSize(400);
            for (int i = 0; i < samples.size(); i++) {
                assertThat(samples.get(i).get(Column.INTENDED)).isEqualTo(i * 5_000_000L);
                assertThat(samples.get(i).get(Column.SENT)).isGreaterThanOrEqualTo(i * 5_000_000L);
                assertThat(samples.get(i).get(Column.HELD)).isZero();
            }
            Sample stalled = samples.get(10);
            List<Sample> behind = samples.stream()
                    .filter(sample -> sample.get(Column.INTENDED) > stalled.get(Column.INTENDED)
                            && sample.get(Column.SENT) < stalled.end())
                    .toList();
            assertThat(behind).hasSizeGreaterThanOrEqualTo(19);
            assertThat(behind).allMatch(sample -> sample.end() >= stalled.end());
            assertThat(outcome.summary().mostOutstanding()).isGreaterThanOrEqualTo(20);
        }
    }

    @Test
    void whatWaitsForItsConnectionIsNotSentButItsLatencyCounts() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        AtomicInteger all = new AtomicInteger();
        BiFunction<ByteBuf, Long, List<ByteBuf>> stalling = (request, count) -> {
            if (all.incrementAndGet() == 10) {
                await(gate);
            }
            return List.of(FakeServer.reply(request));
        };
        try (FakeServer server = FakeServer.answering(stalling)) {
            Load plan = plan(server)
                    .loop(new Loop.PartlyOpen(1, 200, Arrivals.CONSTANT, 1000))
                    .duration(Duration.ofSeconds(2))
                    .checked();
            LoadRun.Outcome outcome =
                    LoadRun.open(LoadOrder.of(plan)).run(directory.resolve("samples.plog"), whenTwentyWait(gate));
            List<Sample> samples = samples(outcome);
            assertThat(samples).hasSize(400);
            Sample stalled = samples.get(9);
            List<Sample> behind = samples.stream()
                    .filter(sample -> sample.get(Column.INTENDED) > stalled.get(Column.INTENDED)
                            && sample.get(Column.INTENDED) < stalled.end())
                    .toList();
            assertThat(behind).hasSizeGreaterThanOrEqualTo(19);
            // One at a time: none was sent before the stalled one was answered, and the wait is distinguished from lag.
            assertThat(behind).allMatch(sample -> sample.get(Column.SENT) >= stalled.end());
            assertThat(behind)
                    .allMatch(sample -> sample.get(Column.HELD) >= stalled.end() - sample.get(Column.INTENDED)
                            && sample.get(Column.HELD) <= sample.get(Column.SENT) - sample.get(Column.INTENDED));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CLOSED", "PARTLY_OPEN"})
    void connectionsAreMadeAnewExactlyAfterTheirRequests(LoadMode mode) throws Exception {
        Map<Long, List<Long>> numbersOnConnection = new TreeMap<>();
        BiFunction<ByteBuf, Long, List<ByteBuf>> counting = (request, count) -> {
            synchronized (numbersOnConnection) {
                numbersOnConnection
                        .computeIfAbsent(RequestHeader.client(request), client -> new ArrayList<>())
                        .add(count);
            }
            return List.of(FakeServer.reply(request));
        };
        try (FakeServer server = FakeServer.answering(counting)) {
            Load asked = mode == LoadMode.CLOSED
                    ? plan(server).loop(new Loop.Closed(5, 1, 3)).requests(200)
                    : plan(server).loop(new Loop.PartlyOpen(5, 400, Arrivals.POISSON, 3));
            LoadRun.Outcome outcome = run(asked.checked());
            assertThat(outcome.end().partial()).as(outcome.end().reason()).isFalse();
            assertThat(identities(server.requests())).hasSize(server.requests().size());
            assertThat(samples(outcome)).hasSize(server.requests().size());
            int index = 0;
            long connections = 0;
            for (List<Long> numbers : numbersOnConnection.values()) {
                int first = 3 - index % 3;
                for (int i = 0; i < numbers.size(); i++) {
                    assertThat(numbers.get(i))
                            .as("request %d of connection %d", i, index)
                            .isEqualTo(i < first ? i : (i - first) % 3);
                }
                connections += numbers.stream().filter(number -> number == 0).count();
                index++;
            }
            assertThat(index).isEqualTo(5);
            // The first of a connection, and it alone, has the time that it took to connect.
            assertThat(samples(outcome).stream().filter(sample -> sample.get(Column.CONNECT) > 0))
                    .hasSize((int) connections);
        }
    }

    @Test
    void aLostConnectionIsCountedAndMadeAnew() throws Exception {
        AtomicInteger all = new AtomicInteger();
        try (FakeServer server = FakeServer.answering((request, count) ->
                all.incrementAndGet() == 50 ? List.of(FakeServer.CLOSE) : List.of(FakeServer.reply(request)))) {
            LoadRun.Outcome outcome =
                    run(plan(server).closed(1, 2).requests(300).checked()); // another one could send all of the rest
            assertThat(outcome.end().partial()).isFalse();
            LoadSummary summary = outcome.summary();
            assertThat(summary.connectionsLost()).isEqualTo(1);
            assertThat(summary.connectionsMade()).isEqualTo(2);
            assertThat(summary.sent()).isEqualTo(300);
            assertThat(summary.errors()).containsOnlyKeys("no reply");
            assertThat(summary.errors().getOrDefault("no reply", 0L)).isBetween(1L, 2L);
            assertThat(summary.accepted() + summary.errors().getOrDefault("no reply", 0L))
                    .isEqualTo(300);
        }
    }

    @Test
    void refusalsAreCountedByTypeAndAreNoLatencies() throws Exception {
        AtomicInteger all = new AtomicInteger();
        try (FakeServer server = FakeServer.answering((request, count) -> {
            int number = all.incrementAndGet();
            return List.of(
                    number % 4 == 0
                            ? FakeServer.refusal(request, Status.OVERLOADED, "the queue is full")
                            : number % 50 == 1
                                    ? FakeServer.refusal(request, Status.LOG_FULL, "no space")
                                    : FakeServer.reply(request));
        })) {
            LoadSummary summary =
                    run(plan(server).closed(1, 1).requests(200).checked()).summary();
            assertThat(summary.errors()).isEqualTo(Map.of("OVERLOADED", 50L, "LOG_FULL", 4L));
            assertThat(summary.refusedShare()).isEqualTo(0.25);
            assertThat(summary.accepted()).isEqualTo(146);
            assertThat(summary.latency()).isNotNull().matches(latency -> latency.count() == 146);
        }
    }

    @Test
    void aServerThatFallsSilentInAnOpenLoopMakesTheRunEndAndSayWhy() throws Exception {
        try (FakeServer server = FakeServer.answering((request, count) -> List.of(FakeServer.NOTHING))) {
            LoadRun run = LoadRun.open(LoadOrder.of(
                    plan(server).loop(new Loop.Open(2, 1000, Arrivals.CONSTANT)).mostOutstanding(50)));
            // Nothing will come: without this the run would wait out its patience.
            LoadRun.Outcome outcome = run.run(directory.resolve("samples.plog"), progress -> run.stop());
            assertThat(outcome.end().partial()).isTrue();
            assertThat(outcome.end().reason())
                    .startsWith("the offered rate could not be sustained: 50 requests were due or under way");
            assertThat(samples(outcome)).hasSize(50).allMatch(sample -> sample.get(Column.STATUS) == -1);
            assertThat(outcome.summary().sustained()).isFalse();
        }
    }

    @Test
    void aWrongReplyEndsTheRun() throws Exception {
        try (FakeServer server = FakeServer.answering((request, count) -> {
            ByteBuf reply = FakeServer.reply(request);
            if (count == 5) {
                reply.setByte(reply.writerIndex() - 1, reply.getByte(reply.writerIndex() - 1) + 1);
            }
            return List.of(reply);
        })) {
            LoadRun.Outcome outcome =
                    run(plan(server).closed(1, 1).requests(100).checked());
            assertThat(outcome.end().reason()).contains("is not as long as its request, or not its payload inverted");
            assertThat(outcome.summary().errors()).isEqualTo(Map.of("wrong reply", 1L));
            assertThat(outcome.summary().sent()).isEqualTo(6);
        }
    }

    @Test
    void readOnlyRequestsAreFlaggedAndKeptApart() throws Exception {
        List<Integer> flags = new CopyOnWriteArrayList<>();
        Welcome welcome = new Welcome(
                1000,
                4,
                Map.of(),
                List.of(new TargetDescription(
                        3, "a", "fdatasync", Map.of("service", "invert", "readOnlyRequests", "yes"))));
        try (FakeServer server = FakeServer.greeting(welcome, (request, count) -> {
            flags.add(Frame.flags(request));
            return List.of(FakeServer.reply(request));
        })) {
            LoadRun.Outcome outcome =
                    run(plan(server).closed(1, 1).requests(400).loggedShare(0.5).checked());
            List<Sample> samples = samples(outcome);
            long readOnly = flags.stream().filter(flag -> flag == 1).count();
            assertThat(readOnly).isBetween(160L, 240L);
            assertThat(samples.stream().filter(sample -> sample.get(Column.KIND) == 1))
                    .hasSize((int) readOnly)
                    .allMatch(sample -> sample.cell().targetId() == (3 | 1 << 16));
            try (SampleFileReader reader = SampleFileReader.open(outcome.samples())) {
                assertThat(reader.info().plan().targets()).containsExactly("a", "a/read-only");
            }
            assertThat(outcome.summary().loggedShare()).isCloseTo(1 - readOnly / 400.0, Offset.offset(1e-6));
        }
    }

    @Test
    void whatTheServerCannotTakeIsSaidBeforeAnythingIsSent() throws Exception {
        try (FakeServer server = FakeServer.good()) {
            refused(
                    Load.on("127.0.0.1:" + server.port(), "aa"),
                    "the server has no target 'aa' (did you mean 'a'?); it has a, off");
            refused(
                    plan(server).loggedShare(0.5),
                    "the workload has read-only requests, and the server takes none for target 'a'");
            refused(
                    plan(server).mix(Mix.study()),
                    "the mix has sizes up to 900000 bytes (900k), over the server's limit of 200000");
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void aServerThatTakesNoMoreConnectionsIsQuoted() throws Exception {
        try (FakeServer server = FakeServer.good();
                FakeServer full = FakeServer.greeting(FakeServer.goodbye(GoodbyeCode.TOO_MANY, "2 connections"))) {
            Load plan = plan(server).closed(3, 1).checked();
            LoadRun.open(LoadOrder.of(plan));
            assertThatThrownBy(() -> new LoadEngineProbe().connect(full.port()))
                    .isInstanceOf(PlanException.class)
                    .hasMessageContaining(
                            "connection 1 of 3 to 127.0.0.1:" + full.port() + " could not be made: the server"
                                    + " said goodbye: TOO_MANY, 2 connections; start the server with --max-connections of at"
                                    + " least 3");
        }
    }

    @Test
    void aServerThatWasUpgradedMeanwhileIsNamedByItsVersion() throws Exception {
        try (FakeServer newer = FakeServer.greeting(FakeServer.welcomeOfVersion(2))) {
            assertThatThrownBy(() -> new LoadEngineProbe().connect(newer.port()))
                    .isInstanceOf(PlanException.class)
                    .hasMessageContaining(
                            "could not be made: the server speaks protocol version 2, this client speaks 1");
        }
    }

    /** Makes connections without asking the server first. */
    private final class LoadEngineProbe {
        void connect(int port) throws IOException, PlanException {
            Welcome welcome = FakeServer.welcome();
            Load plan = Load.on("127.0.0.1:" + port, "a").closed(3, 1).checked();
            try (LoadEngine engine = new LoadEngine(
                    plan,
                    null,
                    ClientOptions.defaults(),
                    List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)),
                    0,
                    welcome,
                    welcome.targets().get(0),
                    Resumption.begin(Path.of("none")),
                    new SampleSpool(3, plan),
                    null)) {
                engine.connectAll();
            }
        }
    }

    @Test
    void aLoadThatIsToBeginAtATimeBeginsThen() throws Exception {
        try (FakeServer server = FakeServer.good()) {
            Instant time = Instant.EPOCH;
            LoadRun.Outcome outcome = null;
            // On a machine that does much else its two connections take seconds.
            for (int seconds = 2; outcome == null; seconds *= 2) {
                time = Instant.now().plusSeconds(seconds);
                try {
                    outcome = LoadRun.open(
                                    LoadOrder.of(plan(server).closed(2, 1).requests(20)))
                            .run(
                                    Resumption.begin(directory.resolve("samples-" + seconds)),
                                    time,
                                    ProgressListener.NONE);
                } catch (PlanException tooLate) {
                    assertThat(seconds).as("%s", tooLate).isLessThan(30);
                }
            }
            try (SampleFileReader reader = SampleFileReader.open(outcome.samples())) {
                assertThat(Duration.between(time, reader.info().startedAt()))
                        .isBetween(Duration.ofMillis(-500), Duration.ofMillis(500));
            }
        }
    }

    /** Stopped in its middle, and gone on with: as many as were asked for, on one clock, and no warm-up among them. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLoadThatWasStoppedGoesOnWithWhatIsLeft(boolean timed) throws Exception {
        try (FakeServer server = FakeServer.good()) {
            Load plan = plan(server).warmUp(Duration.ofMillis(20));
            Load asked = timed
                    ? plan.loop(new Loop.Open(2, 200, Arrivals.CONSTANT)).duration(Duration.ofSeconds(1))
                    : plan.closed(2, 1).requests(20_000);
            LoadRun first = LoadRun.open(LoadOrder.of(asked));
            Path file = directory.resolve("samples.plog");
            LoadRun.Outcome stopped = first.run(file, progress -> first.stop());
            assertThat(stopped.end().partial()).isTrue();
            Resumption before = Resumption.of(file, asked);
            LoadRun.Outcome whole = LoadRun.open(LoadOrder.of(asked)).run(before, null, ProgressListener.NONE);
            assertThat(whole.end().partial()).isFalse();
            assertThat(whole.summary().sent()).isEqualTo(timed ? 200 : 20_000).isGreaterThan(before.count());
            assertThat(whole.end().trials())
                    .filteredOn(TrialRecord.Interrupted.class::isInstance)
                    .hasSize(1);
            List<Sample> counted = samples(whole).stream()
                    .filter(sample -> sample.get(Column.PHASE) == 0)
                    .toList();
            assertThat(counted).hasSize((int) whole.summary().sent());
            if (timed) {
                assertThat(counted)
                        .extracting(sample -> (sample.get(Column.INTENDED) - 20_000_000) / 100_000_000)
                        .as("each block has its share")
                        .containsOnly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
                assertThat(whole.summary().offeredPerSecond()).isEqualTo(200);
            }
        }
    }

    @Test
    void aLoadWhoseConnectionsAreMadeTooLateIsRefused() throws Exception {
        try (FakeServer server = FakeServer.good()) {
            LoadRun run = LoadRun.open(LoadOrder.of(plan(server).closed(2, 1).requests(20)));
            assertThatThrownBy(() -> run.run(
                            Resumption.begin(directory.resolve("samples.plog")),
                            Instant.parse("2026-01-01T00:00:00Z"),
                            ProgressListener.NONE))
                    .isInstanceOf(PlanException.class)
                    .hasMessageContaining("choose a later time for all of them");
        }
    }

    private static void refused(Load plan, String message) {
        assertThatThrownBy(() -> LoadRun.open(LoadOrder.of(plan)))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining(message);
    }

    private static void await(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
