package io.plog.measure.load;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.Samples;
import io.plog.protocol.Status;
import io.plog.stats.Moments;
import io.plog.stats.Quantiles;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sums up the samples of a load on one target, cell by cell, to its {@link LoadSummary}. For one thread.
 */
public final class LoadTally {
    /** So much of the offered rate is to be answered. */
    private static final double SUSTAINED = 0.99;

    private final RunInfo.Load load;
    private final boolean scheduled;
    private final LongList intended = new LongList();
    private final LongList done = new LongList();
    private final LongList acceptedDone = new LongList();
    private final LongList acceptedBytes = new LongList();
    private final LongList latency = new LongList();
    private final LongList lag = new LongList();
    private final LongList held = new LongList();
    private final LongList connects = new LongList();
    private final Map<String, Long> errors = new TreeMap<>();
    private long sent;
    private long accepted;
    private long logged;
    private long refused;
    private long firstCounted = Long.MAX_VALUE;
    private long lastCounted = Long.MIN_VALUE;

    /** Begins with nothing. */
    public LoadTally(RunInfo.Load load) {
        this.load = load;
        this.scheduled = LoadMode.of(load.mode()).isScheduled();
    }

    /** Adds the samples of a cell, warm-up included. */
    public void add(Samples samples) {
        for (int i = 0; i < samples.count(); i++) {
            long sentAt = samples.get(Column.SENT, i);
            long end = sentAt + samples.get(Column.END_TO_END, i);
            long status = samples.get(Column.STATUS, i);
            intended.add(samples.get(Column.INTENDED, i));
            if (status != RequestBook.NO_REPLY) {
                done.add(end);
            }
            if (status == Status.OK.code()) {
                acceptedDone.add(end);
                // Kept beside the time, so that the bytes of a stretch can be told.
                acceptedBytes.add(samples.get(Column.PAYLOAD_BYTES, i));
            }
            if (samples.get(Column.PHASE, i) == 0) {
                counted(samples, i, sentAt, end, status);
            }
        }
    }

    private void counted(Samples samples, int i, long sentAt, long end, long status) {
        sent++;
        firstCounted = Math.min(firstCounted, sentAt);
        lastCounted = Math.max(lastCounted, end);
        logged += samples.get(Column.KIND, i) == 0 ? 1 : 0;
        if (status == Status.OK.code()) {
            accepted++;
            latency.add(end - sentAt);
        } else {
            errors.merge(LoadMessages.status(status), 1L, Long::sum);
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
     * @param counts as the run's end has them; what is missing is 0
     */
    public LoadSummary summary(String target, Map<String, Long> counts) {
        boolean timed = load.durationNanos() > 0;
        long from = timed ? load.warmUpNanos() : sent == 0 ? 0 : firstCounted;
        long to = timed ? from + load.durationNanos() : sent == 0 ? 0 : lastCounted + 1;
        double seconds = (to - from) / 1e9;
        long[] dueAt = intended.sorted();
        long[] doneAt = done.sorted();
        Double offered = scheduled ? perSecond(within(dueAt, from, to), seconds) : null;
        double answered = perSecond(within(doneAt, from, to), seconds);
        return new LoadSummary(
                target,
                Units.rounded(seconds, 6),
                offered == null ? null : Units.rounded(offered, 3),
                Units.rounded(answered, 3),
                Units.rounded(perSecond(within(acceptedDone.sorted(), from, to), seconds), 3),
                Units.rounded(seconds > 0 ? bytesWithin(from, to) / 1e6 / seconds : 0, 6),
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
                backlog(dueAt, doneAt, from),
                backlog(dueAt, doneAt, to),
                counts.getOrDefault(LoadSummary.MOST_OUTSTANDING, 0L),
                counts.getOrDefault(LoadSummary.CONNECTIONS_MADE, 0L),
                counts.getOrDefault(LoadSummary.CONNECTIONS_FAILED, 0L),
                counts.getOrDefault(LoadSummary.CONNECTIONS_LOST, 0L));
    }

    private long bytesWithin(long from, long to) {
        long bytes = 0;
        for (int i = 0; i < acceptedDone.count(); i++) {
            long at = acceptedDone.get(i);
            bytes += at >= from && at < to ? acceptedBytes.get(i) : 0;
        }
        return bytes;
    }

    private static double perSecond(long count, double seconds) {
        return seconds > 0 ? count / seconds : 0;
    }

    private static long within(long[] ascending, long from, long to) {
        return below(ascending, to) - below(ascending, from);
    }

    private static long backlog(long[] dueAt, long[] doneAt, long at) {
        return below(dueAt, at) - below(doneAt, at);
    }

    /** How many are less than a value. */
    private static long below(long[] ascending, long value) {
        int at = Arrays.binarySearch(ascending, value);
        if (at < 0) {
            return -at - 1L;
        }
        while (at > 0 && ascending[at - 1] == value) {
            at--;
        }
        return at;
    }

    private static LoadSummary.@Nullable Times times(LongList nanos) {
        if (nanos.count() == 0) {
            return null;
        }
        long[] sorted = nanos.sorted();
        return new LoadSummary.Times(
                sorted.length,
                Micros.ofNanos(Moments.mean(sorted)),
                Micros.ofNanos(Quantiles.of(sorted, 0.5)),
                Micros.ofNanos(Quantiles.of(sorted, 0.99)),
                Micros.ofNanos(sorted[sorted.length - 1]));
    }
}
