package io.plog.results.cells;

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
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
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
    private final int[] counted;
    private final long[] endToEnd;
    private final long[] endToEndAscending;
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
     * @param records what is known of trials besides their samples
     * @param load of a study's cell; else null
     */
    public record Circumstances(
            Interruptions interruptions,
            boolean open,
            boolean unread,
            boolean requests,
            List<TrialRecord> records,
            LoadFigures.@Nullable Load load) {}

    private CellAnalysis(RunInfo.Target target, Samples samples, Circumstances circumstances) {
        this.circumstances = circumstances;
        interruptions = circumstances.interruptions();
        open = circumstances.open();
        parts = new RequestParts(target, samples, open, circumstances.unread());
        this.target = target;
        this.samples = samples;
        counted = IntStream.range(0, samples.count()).filter(samples::isCounted).toArray();
        endToEnd = column(Column.END_TO_END);
        endToEndAscending = ascending(endToEnd);
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
        boolean empty = counted.length == 0;
        LoadFigures.Load load = circumstances.load();
        boolean mixed = target.dimensions().containsKey(StudyCell.WORKLOAD);
        boolean logged = !empty && !mixed && target.forceLabel().isLogged();
        boolean answered = !empty && circumstances.requests();
        long[] log = logged ? logging() : new long[0];
        long[] logAscending = ascending(log);
        BlockSeries endToEndBlocks = blocks(i -> samples.get(Column.END_TO_END, i));
        BlockSeries loggingBlocks = logged ? blocks(samples::loggingNanos) : null;
        Replicates endToEndReplicates = empty ? null : endToEndBlocks.replicates();
        Replicates answers = circumstances.requests() ? endToEndReplicates : null;
        Replicates logReplicates = loggingBlocks == null ? null : loggingBlocks.replicates();
        SampleChecks problems = SampleChecks.of(samples, counted);
        WorkloadFigures workload = load == null || empty || !mixed
                ? null
                : WorkloadFigures.of(samples, counted, load.idleNetworkMicros(target));
        Results.Cell cell = new Results.Cell(
                target.name(),
                target.force(),
                payloadBytes,
                target.dimensions(),
                neighbourOperations(payloadBytes),
                counted.length,
                IntStream.range(0, samples.count())
                        .filter(i -> samples.get(Column.PHASE, i) == WARM_UP)
                        .count(),
                IntStream.range(0, samples.count())
                        .filter(i -> samples.get(Column.PHASE, i) == 0 && samples.get(Column.STATUS, i) != 0)
                        .count(),
                Units.rounded(requestsPerSecond(), 1),
                Units.rounded(recordsPerForce(), 3),
                logReplicates == null ? null : CellStatistics.distribution(logReplicates),
                logged && load == null ? distribution(Column.WRITE) : null,
                logged && load == null ? distribution(Column.FORCE) : null,
                answers == null ? null : CellStatistics.distribution(answers),
                logged ? Tail.of(logAscending) : null,
                !answered ? null : Tail.of(endToEndAscending),
                answered && load == null ? slowest() : List.of(),
                open && answered ? fromIntended() : null,
                logReplicates == null || load != null ? List.of() : CellStatistics.peaks(logReplicates),
                answers == null || load != null ? List.of() : CellStatistics.peaks(answers),
                endToEndReplicates == null ? null : CellStatistics.dependence(endToEndReplicates),
                !answered ? null : Fences.of(endToEndAscending),
                problems.steadiness() == null ? null : problems.steadiness().result(),
                circumstances.requests() ? CellStatistics.trials(endToEndBlocks, loggingBlocks) : List.of(),
                !answered || !target.forceLabel().isKnown() ? null : parts.components(counted),
                load == null
                        ? null
                        : LoadFigures.of(target, samples, counted, load, workload == null ? null : workload.results()));
        return new Found(
                target,
                cell,
                curves(log, answered, workload),
                endToEndReplicates == null || load != null
                        ? null
                        : CellEstimates.of(cell, endToEndReplicates, logReplicates),
                endToEndBlocks,
                loggingBlocks,
                problems);
    }

    private List<Curve> curves(long[] log, boolean answered, @Nullable WorkloadFigures workload) {
        List<Curve> curves = new ArrayList<>();
        boolean single =
                target.dimensions().getOrDefault(RunInfo.Target.APPENDS, "1").equals("1");
        if (log.length > 0 && circumstances.load() == null && single) {
            curves.add(curve(FigureData.LOGGING, log));
            if (!answered) {
                curves.add(curve(FigureData.WRITE, column(Column.WRITE)));
                curves.add(curve(FigureData.FORCE, column(Column.FORCE)));
            }
        }
        if (answered) {
            curves.add(curve(FigureData.END_TO_END, endToEnd));
        }
        curves.addAll(workload == null ? List.of() : workload.curves());
        return curves;
    }

    private Results.Distribution distribution(Column column) {
        return CellStatistics.distribution(blocks(i -> samples.get(column, i)).replicates());
    }

    private BlockSeries blocks(IntToLongFunction value) {
        return BlockSeries.of(samples, counted, value);
    }

    private @Nullable Long neighbourOperations(int payloadBytes) {
        return TrialRecord.of(circumstances.records(), TrialRecord.NeighbourOperations.class, target.id())
                .filter(each -> each.payloadBytes() == payloadBytes)
                .findFirst()
                .map(TrialRecord.NeighbourOperations::operations)
                .orElse(null);
    }

    private long[] logging() {
        return Arrays.stream(counted).mapToLong(samples::loggingNanos).toArray();
    }

    private long[] column(Column column) {
        return Arrays.stream(counted).mapToLong(i -> samples.get(column, i)).toArray();
    }

    private static long[] ascending(long[] series) {
        long[] sorted = series.clone();
        Arrays.sort(sorted);
        return sorted;
    }

    private Curve curve(String measure, long[] series) {
        int knots = circumstances.load() != null
                ? Curve.STUDY_KNOTS
                : circumstances.requests() ? Curve.KNOTS : SMALL_CURVE_KNOTS;
        return Curve.of(measure, series, TimeSeries.of(series, samples, counted), knots);
    }

    /** Counted requests by the time in which this cell ran, which is in pieces between those of the other cells. */
    private double requestsPerSecond() {
        Map<Long, long[]> spans = new TreeMap<>();
        for (int sample : counted) {
            long sent = samples.get(Column.SENT, sample);
            long done = sent + samples.get(Column.END_TO_END, sample);
            long[] span = spans.computeIfAbsent(BlockSeries.block(samples, sample), block -> new long[] {sent, done});
            span[0] = Math.min(span[0], sent);
            span[1] = Math.max(span[1], done);
        }
        long nanos =
                spans.values().stream().mapToLong(span -> span[1] - span[0]).sum();
        return nanos == 0 ? 0 : counted.length * 1e9 / nanos;
    }

    /** Each of n records that shared a force counts for an nth of it, so that no force counts more than another. */
    private double recordsPerForce() {
        long[] shared = Arrays.stream(column(Column.BATCH_RECORDS))
                .filter(records -> records > 0)
                .toArray();
        return shared.length == 0
                ? 0
                : shared.length
                        / Arrays.stream(shared)
                                .mapToDouble(records -> 1.0 / records)
                                .sum();
    }

    private Results.Distribution fromIntended() {
        return CellStatistics.distribution(blocks(parts::latencyNanos).replicates());
    }

    private List<Results.Slow> slowest() {
        // Of equal ones the earlier comes first; the first of the queue is the one to be left out next.
        PriorityQueue<Integer> slowest =
                new PriorityQueue<>(Comparator.comparingLong((Integer i) -> parts.latencyNanos(counted[i]))
                        .thenComparing(Comparator.reverseOrder()));
        for (int i = 0; i < counted.length; i++) {
            Integer least = slowest.peek();
            if (least == null || slowest.size() < SLOWEST) {
                slowest.add(i);
            } else if (parts.latencyNanos(counted[i]) > parts.latencyNanos(counted[least])) {
                slowest.poll();
                slowest.add(i);
            }
        }
        List<Results.Slow> rows = new ArrayList<>();
        while (!slowest.isEmpty()) {
            int i = slowest.poll();
            rows.add(0, slow(i + 1, counted[i]));
        }
        return List.copyOf(rows);
    }

    private Results.Slow slow(int request, int sample) {
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
