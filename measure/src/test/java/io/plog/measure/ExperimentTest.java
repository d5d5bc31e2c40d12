package io.plog.measure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.ByteBuf;
import io.plog.client.Credentials;
import io.plog.client.FakeServer;
import io.plog.client.ServerUnavailableException;
import io.plog.measure.ledger.LedgerOptions;
import io.plog.measure.plan.Grid;
import io.plog.measure.plan.Warmup;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.TrialRecord;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentTest {
    @TempDir
    private Path directory;

    private MeasureOrder order(
            FakeServer server, List<Integer> sizes, List<String> targets, int connections, double rate) {
        return order(server, sizes, targets, connections, rate, null);
    }

    private MeasureOrder order(
            FakeServer server,
            List<Integer> sizes,
            List<String> targets,
            int connections,
            double rate,
            @Nullable Path ledger) {
        return order(
                server,
                new Grid("", List.of(), List.of(), sizes, targets, 25, 1, Warmup.exactly(7), 4, connections, rate, 42),
                ledger == null ? null : new LedgerOptions(ledger, false));
    }

    private static MeasureOrder order(FakeServer server, Grid plan, @Nullable LedgerOptions ledger) {
        return new MeasureOrder(
                new HostPort("127.0.0.1", server.port()), Credentials.NONE, plan.checked(), ledger, "plog measure");
    }

    private RunInfo.End run(MeasureOrder order) throws Exception {
        try (Experiment experiment = Experiment.open(order)) {
            return experiment.run(directory.resolve("samples.plog"), 0, List::of, ProgressListener.NONE);
        }
    }

    private SampleFileReader samples() throws Exception {
        return SampleFileReader.open(directory.resolve("samples.plog"));
    }

    @Test
    void everyCellIsMeasuredAsOftenAsPlannedWithItsWarmUpKept() throws Exception {
        try (FakeServer server = FakeServer.good()) {
            RunInfo.End end = run(order(server, List.of(100, 1000), List.of(), 1, 0));
            assertThat(end.partial()).isFalse();
            assertThat(end.reason()).isEmpty();
            assertThat(server.requests()).hasSize(4 * (25 + 7));
        }
        try (SampleFileReader reader = samples()) {
            assertThat(reader.info().plan().targets()).containsExactly("a", "off");
            assertThat(reader.info().plan().isScheduled()).isFalse();
            assertThat(reader.info().client()).containsKeys("os", "cores", "jdk", "clockStepNanos", "network");
            assertThat(reader.info().server()).containsEntry("kernel", "fake");
            assertThat(reader.cells()).hasSize(4);
            for (CellKey cell : reader.cells()) {
                check(cell, reader.samples(cell));
            }
        }
    }

    private static void check(CellKey cell, Samples samples) {
        boolean logged = cell.targetId() == 3;
        int[] perBlock = new int[4];
        int warmup = 0;
        long before = -1;
        for (int i = 0; i < samples.count(); i++) {
            if (samples.get(Column.PHASE, i) == 1) {
                warmup++;
            } else {
                perBlock[(int) samples.get(Column.BLOCK, i)]++;
            }
            assertThat(samples.get(Column.SENT, i)).isGreaterThan(before).isEqualTo(samples.get(Column.INTENDED, i));
            before = samples.get(Column.SENT, i);
            assertThat(samples.get(Column.END_TO_END, i)).isPositive();
            assertThat(samples.get(Column.STATUS, i)).isZero();
            assertThat(samples.loggingNanos(i)).isEqualTo(logged ? 1_000 : 0);
            assertThat(samples.get(Column.BATCH_RECORDS, i)).isEqualTo(logged ? 1 : 0);
            assertThat(samples.get(Column.EXECUTION, i)).isEqualTo(500);
            assertThat(samples.get(Column.RESIDENCE, i)).isEqualTo(1_600);
        }
        assertThat(warmup).isEqualTo(7);
        assertThat(perBlock).containsExactly(7, 6, 6, 6);
    }

    @Test
    void requestsGoOutInTheOrderOfTheBlocks() throws Exception {
        try (FakeServer server = FakeServer.good()) {
            run(order(server, List.of(100, 1000, 8), List.of(), 1, 0));
            List<CellKey> sent = new ArrayList<>();
            for (ByteBuf request : server.requests()) {
                CellKey cell = new CellKey(RequestHeader.target(request), RequestHeader.payloadBytes(request));
                if (sent.isEmpty() || !sent.get(sent.size() - 1).equals(cell)) {
                    sent.add(cell);
                }
            }
            List<CellKey> expected = new ArrayList<>();
            for (int block = -1; block < 4; block++) {
                for (CellKey cell : BlockOrder.cells(42, 0, block, List.of(100, 1000, 8), List.of(3, 9))) {
                    if (expected.isEmpty() || !expected.get(expected.size() - 1).equals(cell)) {
                        expected.add(cell);
                    }
                }
            }
            assertThat(sent).isEqualTo(expected);
        }
    }

    @Test
    void severalConnectionsShareACellAndTheirSamplesAreInOrderOfSending() throws Exception {
        try (FakeServer server = FakeServer.good()) {
            run(order(server, List.of(100), List.of("a"), 3, 0));
            assertThat(server.requests().stream().map(RequestHeader::client).distinct())
                    .hasSize(3);
        }
        try (SampleFileReader reader = samples()) {
            Samples samples = reader.samples(new CellKey(3, 100));
            assertThat(samples.count()).isEqualTo(32);
            assertThat(samples.column(Column.SENT)).isSorted();
            assertThat(samples.column(Column.CONNECTION)).contains(0, 1, 2);
        }
    }

    @Test
    void atARateTheIntendedTimesAreEvenlySpacedAndNothingIsSentBeforeThem() throws Exception {
        try (FakeServer server = FakeServer.good()) {
            run(order(server, List.of(100), List.of("a"), 1, 20_000));
        }
        try (SampleFileReader reader = samples()) {
            assertThat(reader.info().plan().isScheduled()).isTrue();
            Samples samples = reader.samples(new CellKey(3, 100));
            for (int i = 0; i < samples.count(); i++) {
                assertThat(samples.get(Column.SENT, i)).isGreaterThanOrEqualTo(samples.get(Column.INTENDED, i));
                boolean sameTurn = i > 0
                        && samples.get(Column.BLOCK, i) == samples.get(Column.BLOCK, i - 1)
                        && samples.get(Column.PHASE, i) == samples.get(Column.PHASE, i - 1);
                if (sameTurn) {
                    assertThat(samples.get(Column.INTENDED, i) - samples.get(Column.INTENDED, i - 1))
                            .isEqualTo(50_000);
                }
            }
        }
    }

    @Test
    void aServerThatGoesAwayLeavesWhatWasMeasuredAndAReason() throws Exception {
        try (FakeServer server =
                FakeServer.answering((request, count) -> count < 50 ? List.of(FakeServer.reply(request)) : List.of())) {
            RunInfo.End end = run(order(server, List.of(100, 1000), List.of(), 1, 0));
            assertThat(end.partial()).isTrue();
            assertThat(end.reason())
                    .contains("the server closed the connection before it answered request 51")
                    .endsWith(" after 22 of 100 counted requests");
        }
        try (SampleFileReader reader = samples()) {
            assertThat(reader.end().partial()).isTrue();
            int answered = 0;
            int unanswered = 0;
            for (CellKey cell : reader.cells()) {
                Samples samples = reader.samples(cell);
                for (int i = 0; i < samples.count(); i++) {
                    answered += samples.get(Column.STATUS, i) == 0 ? 1 : 0;
                    unanswered += samples.get(Column.STATUS, i) == -1 ? 1 : 0;
                }
            }
            assertThat(answered).isEqualTo(50);
            assertThat(unanswered).isEqualTo(1);
        }
    }

    @Test
    void aWrongReplyEndsTheRun() throws Exception {
        try (FakeServer server = FakeServer.answering((request, count) -> {
            ByteBuf reply = FakeServer.reply(request);
            return List.of(count == 9 ? reply.setByte(ReplyHeader.BYTES + 50, 0) : reply);
        })) {
            RunInfo.End end = run(order(server, List.of(100), List.of("a"), 1, 0));
            assertThat(end.partial()).isTrue();
            assertThat(end.reason()).contains("the reply to request 10 differs at byte 50");
        }
        try (SampleFileReader reader = samples()) {
            assertThat(reader.samples(new CellKey(3, 100)).column(Column.STATUS))
                    .endsWith(0, -2);
        }
    }

    @Test
    void aRefusalEndsTheRunButAFullQueueDoesNot() throws Exception {
        try (FakeServer server = FakeServer.answering((request, count) -> List.of(
                count == 20 || count == 21
                        ? FakeServer.refusal(request, Status.OVERLOADED, "later")
                        : count == 30
                                ? FakeServer.refusal(request, Status.LOG_FULL, "no space")
                                : FakeServer.reply(request)))) {
            RunInfo.End end = run(order(server, List.of(100), List.of("a"), 1, 0));
            assertThat(end.reason()).contains("the server refused with LOG_FULL: no space");
        }
        try (SampleFileReader reader = samples()) {
            Samples samples = reader.samples(new CellKey(3, 100));
            assertThat(samples.count()).isEqualTo(31);
            assertThat(samples.column(Column.STATUS)).contains(2, 3);
            assertThat(samples.isCounted(20)).isFalse();
        }
    }

    @Test
    void stopEndsTheRunAfterTheRequestUnderWay() throws Exception {
        AtomicReference<Experiment> running = new AtomicReference<>();
        try (FakeServer server = FakeServer.answering((request, count) -> {
            if (count == 60) {
                requireNonNull(running.get()).stop();
            }
            return List.of(FakeServer.reply(request));
        })) {
            try (Experiment experiment = Experiment.open(order(server, List.of(100, 1000), List.of(), 1, 0))) {
                running.set(experiment);
                RunInfo.End end = experiment.run(directory.resolve("samples.plog"), 0, List::of, ProgressListener.NONE);
                assertThat(end.partial()).isTrue();
                assertThat(end.reason()).isEqualTo("interrupted after 33 of 100 counted requests");
            }
            assertThat(server.requests()).hasSize(61);
        }
    }

    private long counted; // nanoseconds in which requests were

    @Test
    void aTrialThatWasStoppedGoesOnInTheMiddleOfATurn() throws Exception {
        AtomicReference<Experiment> running = new AtomicReference<>();
        Path file = directory.resolve("samples.plog");
        try (FakeServer server = FakeServer.answering((request, count) -> {
            if (count == 60) {
                requireNonNull(running.get()).stop();
            }
            return List.of(FakeServer.reply(request));
        })) {
            RunInfo.End end = new RunInfo.End(true, "", 0);
            long[] begun = {System.nanoTime()};
            Experiment.Start begins = () -> {
                if (counted > 0) { // a warm-up is not on the run's clock, but for the first
                    assertThat(new SplittableRandom(1).longs(30_000_000).max()).isPresent(); // takes a while
                    begun[0] = System.nanoTime();
                }
                return List.of();
            };
            while (end.partial()) {
                try (Experiment experiment = Experiment.open(order(server, List.of(100, 1000), List.of(), 1, 0))) {
                    running.set(experiment);
                    end = experiment.run(file, 1, begins, ProgressListener.NONE);
                }
                counted += System.nanoTime() - begun[0];
            }
            assertThat(server.requests()).as("three times 33, and one").hasSize(4 * 28 + 100);
        }
        try (SampleFileReader reader = samples()) {
            assertThat(reader.end().wallNanos()).isLessThanOrEqualTo(counted);
            assertThat(reader.end().trials())
                    .filteredOn(TrialRecord.Interrupted.class::isInstance)
                    .extracting(TrialRecord::trial)
                    .containsExactly(1, 1, 1);
            for (CellKey cell : reader.cells()) {
                Samples samples = reader.samples(cell);
                List<Long> counted = LongStream.range(0, samples.count())
                        .filter(samples::isCounted)
                        .boxed()
                        .toList();
                assertThat(counted).hasSize(25);
                assertThat(counted).extracting(i -> samples.get(Column.SENT, i)).isSorted();
                assertThat(counted)
                        .extracting(i -> samples.get(Column.BLOCK, i))
                        .isSorted()
                        .contains(0L, 1L, 2L, 3L);
            }
        }
    }

    @Test
    void whatTheServerCannotDoIsSaidBeforeAnythingStarts() throws Exception {
        try (FakeServer server = FakeServer.good()) {
            assertThatThrownBy(() -> Experiment.open(order(server, List.of(100, 200_001), List.of(), 1, 0)))
                    .isInstanceOf(PlanException.class)
                    .hasMessageStartingWith("size 200001 is over the server's limit of 200000 bytes");
            assertThatThrownBy(() -> Experiment.open(order(server, List.of(100), List.of("a", "b"), 1, 0)))
                    .isInstanceOf(PlanException.class)
                    .hasMessage("the server has no target 'b'; it has a, off");
            assertThat(server.requests()).isEmpty();
            server.stop();
            assertThatThrownBy(() -> Experiment.open(order(server, List.of(100), List.of(), 1, 0)))
                    .isInstanceOf(ServerUnavailableException.class);
        }
    }

    @Test
    void theLedgerHasALineForEachAcknowledgementAndKeepsWhatItHeld() throws Exception {
        Path ledger = directory.resolve("ledger");
        Files.writeString(ledger, "1 1 3 1 5 00000000\n");
        List<String> expected = new ArrayList<>();
        expected.add("1 1 3 1 5 00000000");
        try (FakeServer server = FakeServer.good()) {
            run(order(server, List.of(100, 5), List.of(), 1, 0, ledger));
            for (ByteBuf request : server.requests()) {
                CRC32C crc = new CRC32C();
                crc.update(request.nioBuffer(RequestHeader.BYTES, RequestHeader.payloadBytes(request)));
                long number = RequestHeader.request(request);
                expected.add(String.format(
                        "%d %d %d %d %d %08x",
                        RequestHeader.client(request),
                        number,
                        RequestHeader.target(request),
                        RequestHeader.target(request) == 3 ? number : 0,
                        RequestHeader.payloadBytes(request),
                        crc.getValue()));
            }
        }
        assertThat(Files.readAllLines(ledger)).isEqualTo(expected);
    }

    @Test
    void aLedgerThatCannotBeWrittenEndsTheRunAndKeepsTheSamples() throws Exception {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.isWritable(full), "there is a device that is always full");
        try (FakeServer server = FakeServer.good()) {
            MeasureOrder forced = order(
                    server,
                    new Grid(
                            "",
                            List.of(),
                            List.of(),
                            List.of(100),
                            List.of("a"),
                            25,
                            1,
                            Warmup.exactly(7),
                            4,
                            1,
                            0,
                            42),
                    new LedgerOptions(full, true));
            RunInfo.End end = run(forced);
            assertThat(end.partial()).isTrue();
            assertThat(end.reason())
                    .startsWith("ledger /dev/full could not be written (No space left on device)")
                    .endsWith(" after 1 requests of the warm-up");
            assertThat(server.requests()).hasSize(1);
        }
        try (SampleFileReader reader = samples()) {
            assertThat(reader.samples(new CellKey(3, 100)).count()).isEqualTo(1);
        }
    }

    @Test
    void aLedgerThatCannotBeWrittenInTheEndMakesTheRunPartial() throws Exception {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.isWritable(full), "there is a device that is always full");
        try (FakeServer server = FakeServer.good()) {
            RunInfo.End end = run(order(server, List.of(100), List.of("a"), 1, 0, full));
            assertThat(end.partial()).isTrue();
            assertThat(end.reason()).contains("ledger /dev/full could not be written (No space left on device)");
        }
    }

    @Test
    void progressIsOfTheRequestsThatCountAndTheWarmUpSaysWhatIsLeft() throws Exception {
        BlockingQueue<ProgressListener.Progress> reports = new LinkedBlockingQueue<>();
        List<ProgressListener.Progress> seen = new ArrayList<>();
        // Of 14 requests of the warm-up and 50 that count, the sixth and the thirtieth wait for a report.
        try (FakeServer server = FakeServer.answering((request, count) -> {
                    if (count == 5 || count == 29) {
                        reports.clear();
                        seen.add(taken(reports));
                    }
                    return List.of(FakeServer.reply(request));
                });
                Experiment experiment = Experiment.open(order(server, List.of(100), List.of(), 1, 0))) {
            experiment.run(directory.resolve("samples.plog"), 0, List::of, reports::add);
        }
        assertThat(seen).extracting(ProgressListener.Progress::done).containsExactly(0L, 15L);
        assertThat(seen).extracting(ProgressListener.Progress::total).containsOnly(50L);
        assertThat(seen.get(0).line()).matches("warm-up  5 requests  [0-9,]+/s  (a|off) 100 B  \\d+:\\d+ min left");
        assertThat(seen.get(1).line())
                .matches("block 2/4  15/50 \\(30 %\\)  [0-9,]+/s  (a|off) 100 B  \\d+:\\d+ min left");
    }

    @Test
    void whatIsLeftIsThatOfAllTrials() {
        ProgressListener.Progress second = new ProgressListener.Progress(30, 100, "block 3/10", 70, 15, 100);
        assertThat(second.inPart(1, 4, 3, "trial 2/4 "))
                .extracting(ProgressListener.Progress::done, ProgressListener.Progress::line)
                .containsExactly(130L, "trial 2/4 block 3/10  4:45 min left");
        ProgressListener.Progress unknown = new ProgressListener.Progress(0, 100, "connecting");
        assertThat(unknown.inPart(0, 40, 1, "trial 1/40 ").line()).isEqualTo("trial 1/40 connecting");
        assertThat(new ProgressListener.Progress(0, 9, "warm-up", 3_660, 3_600, 60).line())
                .isEqualTo("warm-up  1:01 h left");
    }

    private static ProgressListener.Progress taken(BlockingQueue<ProgressListener.Progress> reports) {
        try {
            return reports.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aPlanThatMakesNoSenseNamesTheValueAndItsRange() {
        try (FakeServer server = FakeServer.good()) {
            assertThatThrownBy(() -> order(server, List.of(), List.of(), 1, 0))
                    .hasMessage("sizes is empty: expected at least one");
            assertThatThrownBy(() -> order(server, List.of(1, 1), List.of(), 1, 0))
                    .hasMessage("sizes 1 is given twice: expected once");
            assertThatThrownBy(() -> order(server, List.of(1), List.of(), 0, 0))
                    .hasMessage("connections is 0: expected 1 to 1024");
            assertThatThrownBy(() -> order(server, List.of(1), List.of(), 1, Double.NaN))
                    .hasMessage("rate is NaN: expected 0 to 1000000000");
        }
    }
}
