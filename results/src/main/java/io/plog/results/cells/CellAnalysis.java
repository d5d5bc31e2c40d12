package io.plog.results.cells;

import io.plog.measure.plan.Recovery;
import io.plog.measure.plan.StudyCell;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.TrialRecord;
import io.plog.results.cells.FigureData.Curve;
import io.plog.results.model.Results;
import io.plog.stats.Fences;
import io.plog.stats.Replicates;
import io.plog.stats.Tail;
import io.plog.stats.numbers.Longs;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is computed from one cell's samples. Of the samples it keeps only the latencies by block. A study has a hundred cells
 * or more, so what neither its page nor its claims use is left out there: write and force alone, peaks, the slowest requests.
 */
public final class CellAnalysis {
    private static final int SLOWEST = 20;
    private static final int WARM_UP = 1;

    /** Of the many small panels of a directory. */
    private static final int SMALL_CURVE_KNOTS = 80;

    private final RunInfo.Target target;
    private final Samples samples;
    private final Longs counted;
    private final Groups blocks;
    private final Interruptions interruptions;
    private final Circumstances circumstances;
    private final boolean open;
    private final RequestParts parts;

    /**
     * What is to be known of a run besides its samples.
     *
     * @param open whether requests had intended times
     * @param unread whether requests may have waited unread for an event loop that was busy with others
     * @param requests whether there were requests; else there was nothing but appends, and their latency is of the log alone
     * @param timed whether it is of interest how it went on
     * @param binned whether it is not known which value belongs to which request, and in which order they came
     * @param records what is known of trials besides their samples
     * @param load of a study's cell; else null
     */
    public record Circumstances(
            Interruptions interruptions,
            boolean open,
            boolean unread,
            boolean requests,
            boolean timed,
            boolean binned,
            List<TrialRecord> records,
            LoadFigures.@Nullable Load load) {}

    private CellAnalysis(RunInfo.Target target, Samples samples, Circumstances circumstances) {
        this.circumstances = circumstances;
        interruptions = circumstances.interruptions();
        open = circumstances.open();
        parts = new RequestParts(target, samples, open, circumstances.unread());
        this.target = target;
        this.samples = samples;
        counted = Longs.where(samples.count(), samples::isCounted);
        blocks = Groups.of(counted, i -> BlockSeries.block(samples, i));
    }

    /**
     * What was found.
     *
     * @param curves what the figures draw
     * @param figures what the claims need besides; null if nothing was counted
     * @param endToEndBlocks end-to-end latencies
     * @param loggingBlocks logging latencies; null if nothing was logged
     * @param problems what the samples themselves contradict
     */
    public record Found(
            RunInfo.Target target,
            Results.Cell cell,
            List<Curve> curves,
            @Nullable CellEstimates figures,
            @Nullable BlockSeries endToEndBlocks,
            @Nullable BlockSeries loggingBlocks,
            SampleChecks problems) {

        /** The same without the latencies: they are large, and only the comparison of cells of one size needs them. */
        public Found withoutBlocks() {
            return new Found(target, cell, curves, figures, null, null, problems);
        }
    }

    /**
     * Computes everything of a cell. Samples with no counted request give a cell whose distributions are null.
     */
    public static Found of(RunInfo.Target target, int payloadBytes, Samples samples, Circumstances circumstances) {
        return new CellAnalysis(target, samples, circumstances).analyse(payloadBytes);
    }

    private Found analyse(int payloadBytes) {
        boolean empty = counted.count() == 0;
        LoadFigures.Load load = circumstances.load();
        boolean mixed = target.dimensions().containsKey(StudyCell.WORKLOAD);
        boolean recovery = target.dimensions().containsKey(Recovery.CHECKPOINT);
        boolean logged = !empty && !mixed && !recovery && target.forceLabel().isLogged();
        boolean answered = !empty && circumstances.requests();
        BlockSeries endToEndBlocks = blocks(of(Column.END_TO_END));
        BlockSeries loggingBlocks = logged ? blocks(samples::loggingNanos) : null;
        Replicates endToEndReplicates = empty ? null : endToEndBlocks.replicates();
        Replicates answers = circumstances.requests() ? endToEndReplicates : null;
        Replicates logReplicates = loggingBlocks == null ? null : loggingBlocks.replicates();
        Replicates latencies =
                open && answers != null ? blocks(parts::latencyNanos).replicates() : answers;
        SampleChecks problems = SampleChecks.of(samples, counted, blocks);
        WorkloadFigures workload = load == null || empty || !mixed
                ? null
                : WorkloadFigures.of(samples, counted, blocks, load.idleNetworkMicros(target));
        Results.Cell cell = new Results.Cell(
                target.name(),
                target.force(),
                payloadBytes,
                target.dimensions(),
                neighbourOperations(payloadBytes),
                counted.count(),
                LongStream.range(0, samples.count())
                        .filter(i -> samples.get(Column.PHASE, i) == WARM_UP)
                        .count(),
                LongStream.range(0, samples.count())
                        .filter(i -> samples.get(Column.PHASE, i) == 0 && samples.get(Column.STATUS, i) != 0)
                        .count(),
                Units.rounded(requestsPerSecond(), 1),
                Units.rounded(recordsPerForce(), 3),
                logReplicates == null ? null : CellStatistics.distribution(logReplicates),
                logged && load == null ? distribution(Column.WRITE) : null,
                logged && load == null ? distribution(Column.FORCE) : null,
                answers == null ? null : CellStatistics.distribution(answers),
                logReplicates == null ? null : Tail.of(logReplicates.ascending()),
                answers == null ? null : Tail.of(answers.ascending()),
                answered && load == null && !recovery && !circumstances.binned() ? slowest() : List.of(),
                open && latencies != null ? CellStatistics.distribution(latencies) : null,
                logReplicates == null || load != null ? List.of() : CellStatistics.peaks(logReplicates),
                answers == null || load != null ? List.of() : CellStatistics.peaks(answers),
                endToEndReplicates == null || circumstances.binned()
                        ? null
                        : CellStatistics.dependence(endToEndReplicates),
                answers == null ? null : Fences.of(answers.ascending()),
                problems.steadiness() == null ? null : problems.steadiness().result(),
                circumstances.requests() ? CellStatistics.trials(endToEndBlocks, loggingBlocks) : List.of(),
                latencies == null || recovery || !target.forceLabel().isKnown()
                        ? null
                        : parts.components(counted, latencies.ascending()),
                load == null
                        ? null
                        : LoadFigures.of(target, samples, counted, load, workload == null ? null : workload.results()),
                recovery ? RecoveryFigures.of(target, samples, circumstances.records()) : null,
                circumstances.timed() && !empty ? overTime() : null);
        return new Found(
                target,
                cell,
                curves(loggingBlocks, answered ? endToEndBlocks : null, workload),
                endToEndReplicates == null || load != null
                        ? null
                        : CellEstimates.of(cell, endToEndReplicates, logReplicates),
                endToEndBlocks,
                loggingBlocks,
                problems);
    }

    private List<Curve> curves(
            @Nullable BlockSeries logging, @Nullable BlockSeries answers, @Nullable WorkloadFigures workload) {
        List<Curve> curves = new ArrayList<>();
        boolean single =
                target.dimensions().getOrDefault(RunInfo.Target.APPENDS, "1").equals("1");
        if (logging != null && circumstances.load() == null && single) {
            curves.add(curve(FigureData.LOGGING, logging, samples::loggingNanos));
            if (answers == null) {
                curves.add(curve(FigureData.WRITE, blocks(of(Column.WRITE)), of(Column.WRITE)));
                curves.add(curve(FigureData.FORCE, blocks(of(Column.FORCE)), of(Column.FORCE)));
            }
        }
        if (answers != null) {
            curves.add(curve(FigureData.END_TO_END, answers, of(Column.END_TO_END)));
        }
        curves.addAll(workload == null ? List.of() : workload.curves());
        return curves;
    }

    private Results.Distribution distribution(Column column) {
        return CellStatistics.distribution(blocks(of(column)).replicates());
    }

    private BlockSeries blocks(LongUnaryOperator value) {
        return BlockSeries.of(blocks, value);
    }

    /** Those of all blocks; null if there was no neighbour. */
    private @Nullable Long neighbourOperations(int payloadBytes) {
        return TrialRecord.of(circumstances.records(), TrialRecord.NeighbourOperations.class, target.id())
                .filter(each -> each.payloadBytes() == payloadBytes)
                .map(TrialRecord.NeighbourOperations::operations)
                .reduce(Long::sum)
                .orElse(null);
    }

    private LongUnaryOperator of(Column column) {
        return i -> samples.get(column, i);
    }

    private Curve curve(String measure, BlockSeries all, LongUnaryOperator value) {
        int knots = circumstances.load() != null
                ? Curve.STUDY_KNOTS
                : circumstances.requests() ? Curve.KNOTS : SMALL_CURVE_KNOTS;
        return Curve.of(
                measure, all.replicates().ascending(), TimeSeries.of(counted.map(value), samples, counted), knots);
    }

    /** Counted requests by the time in which this cell ran, which is in pieces between those of the other cells. */
    private double requestsPerSecond() {
        long nanos = 0;
        for (int block = 0; block < blocks.numbers().length; block++) {
            Longs members = blocks.of(block);
            long first = Long.MAX_VALUE;
            long last = Long.MIN_VALUE;
            for (long i = 0; i < members.count(); i++) {
                long sent = samples.get(Column.SENT, members.get(i));
                first = Math.min(first, sent);
                last = Math.max(last, sent + samples.get(Column.END_TO_END, members.get(i)));
            }
            nanos += last - first;
        }
        return nanos == 0 ? 0 : counted.count() * 1e9 / nanos;
    }

    /** Each of n records that shared a force counts for an nth of it, so that no force counts more than another. */
    private double recordsPerForce() {
        Longs shared = counted.map(of(Column.BATCH_RECORDS)).filter(records -> records > 0);
        double forces = LongStream.range(0, shared.count())
                .mapToDouble(i -> 1.0 / shared.get(i))
                .sum();
        return forces == 0 ? 0 : shared.count() / forces;
    }

    private Results.OverTime overTime() {
        List<Results.Slot> slots = OverTime.slots(samples, counted, parts::latencyNanos);
        return new Results.OverTime(
                slots,
                OverTime.levels(slots),
                circumstances.binned()
                        ? List.of()
                        : OverTime.worst(counted, parts).stream()
                                .map(at -> slow(at + 1, counted.get(at)))
                                .toList());
    }

    private List<Results.Slow> slowest() {
        // Of equal ones the earlier comes first; the first of the queue is the one to be left out next.
        PriorityQueue<Long> slowest =
                new PriorityQueue<>(Comparator.comparingLong((Long i) -> parts.latencyNanos(counted.get(i)))
                        .thenComparing(Comparator.reverseOrder()));
        for (long i = 0; i < counted.count(); i++) {
            Long least = slowest.peek();
            if (least == null || slowest.size() < SLOWEST) {
                slowest.add(i);
            } else if (parts.latencyNanos(counted.get(i)) > parts.latencyNanos(counted.get(least))) {
                slowest.poll();
                slowest.add(i);
            }
        }
        List<Results.Slow> rows = new ArrayList<>();
        while (!slowest.isEmpty()) {
            long i = slowest.poll();
            rows.add(0, slow(i + 1, counted.get(i)));
        }
        return List.copyOf(rows);
    }

    private Results.Slow slow(long request, long sample) {
        boolean known = target.forceLabel().isKnown();
        return new Results.Slow(
                request,
                (int) samples.get(Column.TRIAL, sample),
                Units.rounded(samples.get(Column.SENT, sample) / 1e9, 6),
                Micros.ofNanos(parts.latencyNanos(sample)),
                known ? Micros.ofNanos(samples.loggingNanos(sample)) : null,
                known ? Micros.ofNanos(samples.get(Column.WRITE, sample)) : null,
                known ? Micros.ofNanos(samples.get(Column.FORCE, sample)) : null,
                known ? parts.components(sample) : List.of(),
                interruptions.during(samples, sample, parts));
    }
}
