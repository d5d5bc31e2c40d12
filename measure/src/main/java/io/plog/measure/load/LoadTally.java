package io.plog.measure.load;

import io.plog.measure.plan.Load;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.TrialRecord;
import io.plog.protocol.Status;
import io.plog.stats.Moments;
import io.plog.stats.Quantiles;
import io.plog.stats.numbers.Longs;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sums up the samples of a load on one target, cell by cell, to its {@link LoadSummary}. For one thread.
 */
public final class LoadTally {
    /** So much of the offered rate is to be answered. */
    private static final double SUSTAINED = 0.99;

    private static final TrialRecord.LoadCounts NOTHING = new TrialRecord.LoadCounts(0, 0, 0, 0, 0, 0);

    private final Load.Span span;
    private final boolean scheduled;
    private final WindowCounts intended;
    private final WindowCounts done;
    private final WindowCounts acceptedDone;
    private final WindowCounts acceptedBytes;
    private final Longs.Builder latency = new Longs.Builder();
    private final Longs.Builder lag = new Longs.Builder();
    private final Longs.Builder held = new Longs.Builder();
    private final Longs.Builder connects = new Longs.Builder();
    private final Map<String, Long> errors = new TreeMap<>();
    private long sent;
    private long accepted;
    private long logged;
    private long refused;
    private long firstCounted = Long.MAX_VALUE;
    private long lastCounted = Long.MIN_VALUE;

    /**
     * Begins with nothing.
     *
     * @param scheduled whether requests have intended times
     */
    public LoadTally(Load.Span span, boolean scheduled) {
        this.span = span;
        this.scheduled = scheduled;
        intended = counts();
        done = counts();
        acceptedDone = counts();
        acceptedBytes = counts();
    }

    /**
     * The summary of a file of a load's samples.
     *
     * @param plan of the load
     */
    public static LoadSummary of(SampleFileReader reader, Load plan) throws IOException {
        LoadTally tally = new LoadTally(plan.span(), plan.isScheduled());
        for (CellKey cell : reader.cells()) {
            reader.each(cell, tally::add);
        }
        return tally.summary(plan.target(), counts(reader.end()), reader.end().partial());
    }

    /** What loads counted, of all in a file. */
    public static Stream<TrialRecord.LoadCounts> counts(RunInfo.End end) {
        return end.trials().stream()
                .filter(TrialRecord.LoadCounts.class::isInstance)
                .map(TrialRecord.LoadCounts.class::cast);
    }

    private boolean isTimed() {
        return span.durationNanos() > 0;
    }

    private WindowCounts counts() {
        long from = span.warmUpNanos();
        return isTimed() ? WindowCounts.of(from, from + span.durationNanos()) : WindowCounts.ofUnknown();
    }

    /** Adds samples, warm-up included. */
    public void add(Samples samples) {
        for (long i = 0; i < samples.count(); i++) {
            add(samples, i);
        }
    }

    /** Adds one sample, counted from 0. */
    public void add(Samples samples, long i) {
        long sentAt = samples.get(Column.SENT, i);
        long end = sentAt + samples.get(Column.END_TO_END, i);
        long status = samples.get(Column.STATUS, i);
        if (samples.get(Column.PHASE, i) == Samples.AGAIN) {
            return;
        }
        intended.add(samples.get(Column.INTENDED, i), 1);
        if (status != Samples.NO_REPLY) {
            done.add(end, 1);
        }
        if (status == Status.OK.code()) {
            acceptedDone.add(end, 1);
            acceptedBytes.add(end, samples.get(Column.PAYLOAD_BYTES, i));
        }
        if (samples.get(Column.PHASE, i) == 0) {
            counted(samples, i, sentAt, end, status);
        }
    }

    private void counted(Samples samples, long i, long sentAt, long end, long status) {
        sent++;
        firstCounted = Math.min(firstCounted, sentAt);
        lastCounted = Math.max(lastCounted, end);
        logged += samples.get(Column.KIND, i) == 0 ? 1 : 0;
        if (status == Status.OK.code()) {
            accepted++;
            latency.add(end - sentAt);
        } else {
            errors.merge(LoadRequests.statusText(status), 1L, Long::sum);
            refused += status == Status.OVERLOADED.code() ? 1 : 0;
        }
        long waited = samples.get(Column.HELD, i);
        if (scheduled) {
            lag.add(sentAt - samples.get(Column.INTENDED, i) - waited);
        }
        if (waited > 0) {
            held.add(waited);
        }
        if (samples.get(Column.CONNECT, i) > 0) {
            connects.add(samples.get(Column.CONNECT, i));
        }
    }

    /**
     * The summary of what was added.
     *
     * @param records what is known of the load's trial; counts that are not among them are 0
     * @param partial whether it ended early: then its rates are of the time until its last reply
     */
    public LoadSummary summary(String target, Stream<TrialRecord.LoadCounts> records, boolean partial) {
        TrialRecord.LoadCounts counts =
                records.reduce(TrialRecord.LoadCounts::then).orElse(NOTHING);
        long from = isTimed() ? span.warmUpNanos() : sent == 0 ? 0 : firstCounted;
        long to = isTimed() ? from + span.durationNanos() : sent == 0 ? 0 : lastCounted + 1;
        double seconds = ((partial && sent > 0 ? Math.min(to, lastCounted + 1) : to) - from) / 1e9;
        Double offered = scheduled ? perSecond(intended.within(from, to), seconds) : null;
        double answered = perSecond(done.within(from, to), seconds);
        return new LoadSummary(
                target,
                Units.rounded(seconds, 6),
                offered == null ? null : Units.rounded(offered, 3),
                Units.rounded(answered, 3),
                Units.rounded(perSecond(acceptedDone.within(from, to), seconds), 3),
                Units.rounded(seconds > 0 ? acceptedBytes.within(from, to) / 1e6 / seconds : 0, 6),
                sent == 0 ? null : Units.rounded((double) logged / sent, 6),
                sent,
                accepted,
                Map.copyOf(errors),
                sent == 0 ? 0 : Units.rounded((double) refused / sent, 6),
                offered == null || answered >= SUSTAINED * offered,
                times(latency),
                times(lag),
                times(held),
                times(connects),
                intended.before(from) - done.before(from),
                intended.before(to) - done.before(to),
                counts.mostOutstanding(),
                counts.connectionsMade(),
                counts.connectionsFailed(),
                counts.connectionsLost());
    }

    private static double perSecond(long count, double seconds) {
        return seconds > 0 ? count / seconds : 0;
    }

    private static LoadSummary.@Nullable Times times(Longs.Builder nanos) {
        if (nanos.count() == 0) {
            return null;
        }
        Longs sorted = nanos.build().sorted();
        return new LoadSummary.Times(
                sorted.count(),
                Micros.ofNanos(Moments.mean(sorted)),
                Micros.ofNanos(Quantiles.of(sorted, 0.5)),
                Micros.ofNanos(Quantiles.of(sorted, 0.99)),
                Micros.ofNanos(sorted.last()));
    }

    /**
     * How much happened before each end of a stretch of time: moments, each with a weight. If the stretch is known from the start, only
     * sums are kept; else every moment, until the stretch is known. Not thread-safe.
     */
    private static final class WindowCounts {
        private final long from;
        private final long to;
        private long beforeFrom;
        private long beforeTo;
        private final Longs.@Nullable Builder moments;
        private final Longs.@Nullable Builder weights;

        private WindowCounts(boolean known, long from, long to) {
            this.from = from;
            this.to = to;
            moments = known ? null : new Longs.Builder();
            weights = known ? null : new Longs.Builder();
        }

        static WindowCounts of(long from, long to) {
            return new WindowCounts(true, from, to);
        }

        /** Of a stretch that is known later. */
        static WindowCounts ofUnknown() {
            return new WindowCounts(false, 0, 0);
        }

        void add(long moment, long weight) {
            if (moments != null && weights != null) {
                moments.add(moment);
                weights.add(weight);
                return;
            }
            beforeFrom += moment < from ? weight : 0;
            beforeTo += moment < to ? weight : 0;
        }

        /** The weight of what happened before a moment, which is an end of the stretch if that was known. */
        long before(long moment) {
            if (moments == null || weights == null) {
                if (moment != from && moment != to) {
                    throw new IllegalArgumentException(moment + " ns: expected " + from + " or " + to);
                }
                return moment == from ? beforeFrom : beforeTo;
            }
            Longs when = moments.build();
            Longs weight = weights.build();
            long sum = 0;
            for (long i = 0; i < when.count(); i++) {
                sum += when.get(i) < moment ? weight.get(i) : 0;
            }
            return sum;
        }

        /** The weight of what happened in a stretch, which is the one that was known, if one was. */
        long within(long begin, long end) {
            return before(end) - before(begin);
        }
    }
}
