package io.plog.log;

import java.util.function.LongSupplier;

/**
 * Decides how large a batch should be, how long it waits for that, and when a second one begins while one is under way.
 *
 * <p>After a batch is acknowledged its callers need a moment to come back with their next appends. A batch that does not wait
 * for them is forced half full, and the others wait for two forces; and since the next batch finds the other half, it stays
 * so. So a batch waits until as many appends are there as were outstanding lately, for a part of what a write and a force
 * take. If that was not worth it, they are not those callers, and the next batches do not wait: 2, then 6, then 14
 * of them, and so on.
 *
 * <p>{@link #leastWorth} is for any thread, the rest is for the leading lane.
 */
final class Gathering {
    /** Until the first comes, waiting takes at most this part of what a write and a force take ... */
    private static final int SHARE = 5;

    /** ... or so long, if that is more and less than a write and a force: what a caller needs that was parked. */
    private static final long WAKING_NANOS = 40_000;

    /** After the first, it ends when nobody has come for this part of that time. */
    private static final int GAP_SHARE = 4;

    /** Less than this takes longer to write than to force only if the thread was kept from running. */
    private static final long WORTH_HALVING_BYTES = 1024 * 1024;

    /** So many batches in a row do not wait, at most. Even, or of two groups of callers that take turns only one would be tried. */
    private static final int MOST_SKIPPED = 30;

    /** A look takes the place that it looks at away from the caller that is filling it; so not too often. */
    private static final int PAUSES = 8;

    /** Looks between two yields: with few processors the callers may need this one. */
    private static final int LOOKS = 16;

    /** Fewer are not worth a batch of their own while one is under way. */
    private static final int WORTH_ANOTHER = 2;

    private final BatchMetrics metrics;
    private final LongSupplier clock;
    private final boolean enabled;
    private final boolean forcesApart;
    private int skipping;
    private int skipped;
    private int looks;

    // Of the batch that is being filled.
    private int wanted;
    private boolean waits;
    private long beginNanos;
    private long lastNanos;
    private int first;
    private int last;

    /**
     * @param clock as {@link System#nanoTime}
     * @param enabled whether batches wait; they do not where nothing is forced
     * @param forcesApart whether the force is a call of its own, so that one batch can be written while another is forced
     */
    Gathering(BatchMetrics metrics, LongSupplier clock, boolean enabled, boolean forcesApart) {
        this.metrics = metrics;
        this.clock = clock;
        this.enabled = enabled;
        this.forcesApart = forcesApart;
    }

    /**
     * How many appends a batch should have. All that are outstanding, because two batches at once compete for the device;
     * half of them where writing all takes longer than forcing a half: then one half is written while the other is forced.
     */
    private int wanted(int outstanding) {
        return isHalved(outstanding) ? (outstanding + 1) / 2 : outstanding;
    }

    private boolean isHalved(int outstanding) {
        return forcesApart
                && outstanding > 1
                && metrics.outstandingBytes() >= WORTH_HALVING_BYTES
                && metrics.writeNanosOf(outstanding) > metrics.forceNanosOfHalf();
    }

    /**
     * How many appends must wait before a second batch begins.
     *
     * @param underWay how many are in those that have begun
     */
    long leastWorth(long underWay) {
        int outstanding = metrics.outstanding();
        int best = wanted(outstanding);
        boolean isHalf = best < outstanding;
        return Math.max(WORTH_ANOTHER, isHalf ? best : Math.max(best, underWay));
    }

    /**
     * A batch begins to be filled.
     *
     * @param most how many appends it takes at most
     * @return how many it should take at most
     */
    int begin(int most) {
        int outstanding = metrics.outstanding();
        int best = wanted(outstanding);
        waits = false;
        wanted = enabled && skipped == skipping ? best : 0;
        skipped = Math.min(skipped + 1, skipping);
        return best < outstanding ? Math.min(most, best) : most;
    }

    /**
     * Waits a moment for the next append.
     *
     * @param count how many the batch has
     * @return whether to look again; otherwise the batch is as it should be
     */
    boolean isWorthWaiting(int count) {
        if (count >= wanted) {
            return false;
        }
        long now = clock.getAsLong();
        if (!waits) {
            waits = true;
            first = count;
            last = count;
            beginNanos = now;
            lastNanos = now;
        } else if (count > last) {
            last = count;
            lastNanos = now;
        }
        long group = metrics.groupNanos();
        long most = Math.max(group / SHARE, Math.min(group, WAKING_NANOS));
        long waited = now - beginNanos;
        boolean isWorth = (wanted - first) * group > count * waited
                && (count == first
                        ? waited < most
                        : now - lastNanos < most / GAP_SHARE && (waited < most || pays(count, waited)));
        if (isWorth) {
            pause(); // at the end: who was kept from running meanwhile has to look again before anything else
        }
        return isWorth;
    }

    @SuppressWarnings("ThreadPriorityCheck") // a hint to the scheduler, and worth it by measurement
    private void pause() {
        for (int i = 0; i < PAUSES; i++) {
            Thread.onSpinWait();
        }
        if (++looks % LOOKS == 0) {
            Thread.yield();
        }
    }

    /**
     * Whether the waiting was worth it so far: those that came are spared a group's time, and all were kept for what was
     * waited. If appends come no faster than they came during the force before, it is not.
     */
    private boolean pays(int count, long waited) {
        return (count - first) * metrics.groupNanos() > count * waited;
    }

    /** A batch is filled, with so many. */
    void end(int count) {
        if (waits) {
            boolean paid = pays(count, Math.max(1, clock.getAsLong() - beginNanos));
            skipping = paid ? 0 : Math.min(2 * skipping + 2, MOST_SKIPPED);
            skipped = 0;
        }
    }
}
