package io.plog.server.targets;

/**
 * How long a record that is appended now would wait for its log, from what is there before it. By that a server refuses early
 * what it could only answer late: a queue that is full by count or bytes may hold seconds of work.
 *
 * <p>A log writes and forces what waits in <em>groups</em>, which are bounded by records and by bytes, and a few of which may
 * be under way at once. So what a queue takes follows from the groups that it makes, not from its records:
 *
 * <pre>wait = force x (1 + full groups / lanes) + bytes x cost of a byte - time spent on them already</pre>
 *
 * <p>Both costs are learnt from the groups that are forced. The <em>force</em> is what a small group takes that was alone in
 * the log. The <em>cost of a byte</em> is what rounds of groups take beyond their forces, while there is always something to
 * do. Without a recent sample bytes cost nothing: a request that is refused wrongly is lost, and one that is
 * taken wrongly provides a sample.
 *
 * <p>{@link #forced} is called by the log, for one group at a time; the rest is safe for any thread and costs a few divisions.
 */
final class ExpectedWait {
    /** The wait for this many of the fastest groups is never too long: a device is not refused for being slow. */
    private static final int GRANTED_GROUPS = 4;

    /** A group shows the cost of a force if it has at most this many times the bytes of the smallest recent group. */
    private static final int SMALL = 2;

    /** A round shows the cost of bytes if it has at least so many; fewer are held up by something else ... */
    private static final int LARGE = 256 << 10;

    /** ... and takes at least this part of the limit: a device may be fast for a moment and then stand still. */
    private static final int PART_OF_LIMIT = 2;

    /** What bytes cost is learnt from so many rounds; a crowded moment is forgotten when they have passed. */
    private static final int ROUNDS = 4;

    /** After so many rounds in a row in which small groups took no more than their forces, bytes cost nothing. */
    private static final int QUICK = 2;

    /** The smallest recent group counts as larger by this part with each group that was alone, so that it is forgotten. */
    private static final int GROWTH = 16;

    /** The cost of bytes is forgotten after this time: the device may behave differently by then. */
    private static final long FORGOTTEN_NANOS = 2_000_000_000;

    /**
     * At most this part of the wait counts as over because of the groups under way. If they have taken longer than the whole wait
     * should, the device stalls, and their time counts in full.
     */
    private static final int MOST_SPENT = 4;

    private final long limitNanos;
    private final int groupRecords;
    private final long groupBytes;
    private final int lanes;

    // Of the log's threads, one at a time.
    private final Least forces = new Least(); // others were held up, by segments that are made, say
    private final Rounds rounds = new Rounds();
    private long smallBytes = Integer.MAX_VALUE;
    private int quick; // rounds in a row of small groups that took nothing beyond their forces
    private int roundGroups;
    private long roundNanos;
    private long roundBytes;

    private volatile boolean busy;
    private volatile long forcedAtNanos;
    private volatile long fastestNanos = Long.MAX_VALUE;
    private volatile double forceNanos;
    private volatile double nanosPerByte;
    private volatile long learntAtNanos;

    /**
     * @param limitNanos beyond which a wait is too long; 0 for no limit
     * @param groupRecords the most records of a group
     * @param groupBytes the most payload bytes of a group
     * @param lanes how many groups may be under way at once
     */
    ExpectedWait(long limitNanos, int groupRecords, long groupBytes, int lanes) {
        this.limitNanos = limitNanos;
        this.groupRecords = groupRecords;
        this.groupBytes = groupBytes;
        this.lanes = lanes;
    }

    /**
     * A group is durable.
     *
     * @param bytes what was written for it
     * @param groupNanos how long its write and force took
     * @param queued records that are there besides, under way or waiting
     * @param now of {@link System#nanoTime}
     */
    void forced(long bytes, long groupNanos, int queued, long now) {
        if (groupNanos < fastestNanos) {
            fastestNanos = groupNanos;
        }
        boolean alone = !busy;
        // As long as there is always something to do, groups follow each other, maybe several at once: what one takes
        // of the log's time is what has passed since the one before was done.
        long spentNanos = alone ? groupNanos : Math.max(1, now - forcedAtNanos);
        busy = queued > 0;
        forcedAtNanos = now;
        if (!alone || busy) {
            queued(bytes, spentNanos, now);
        }
        if (alone) {
            smallBytes = Math.min(bytes, smallBytes + smallBytes / GROWTH + 1);
            if (bytes / SMALL <= smallBytes) {
                forceNanos = forces.add((double) groupNanos);
            }
        }
    }

    /**
     * A group that others waited for, or that had waited itself. Groups that overlap share the device unevenly, and behind one
     * that is held up the next is large, so what counts is a round of them, the small ones included.
     */
    private void queued(long bytes, long spentNanos, long now) {
        roundGroups++;
        roundNanos += spentNanos;
        roundBytes += bytes;
        if (roundGroups < lanes || roundNanos < limitNanos / PART_OF_LIMIT) {
            return;
        }
        // What takes no longer than a force more may have had a slow one.
        double beyond = Math.max(0, roundNanos - (roundGroups + 1) * forceNanos);
        boolean large = roundBytes >= LARGE;
        quick = !large && beyond == 0 ? quick + 1 : 0;
        if (isForgotten(now) || quick == QUICK) {
            rounds.clear();
            nanosPerByte = 0;
        }
        if (large) {
            nanosPerByte = rounds.add(beyond, (double) roundBytes);
            learntAtNanos = now;
        }
        roundGroups = 0;
        roundNanos = 0;
        roundBytes = 0;
    }

    /** A device that hangs gives no samples, so the cost of bytes is not forgotten while it hangs. */
    private boolean isForgotten(long now) {
        return (busy ? forcedAtNanos : now) - learntAtNanos > FORGOTTEN_NANOS;
    }

    /** The expected wait behind queued records with so many bytes, in nanoseconds. */
    long nanos(int records, long bytes, long now) {
        if (records == 0) {
            return 0;
        }
        long full = Math.max((records - 1) / groupRecords, (bytes - 1) / groupBytes);
        double all = (1 + (double) full / lanes) * forceNanos + (isForgotten(now) ? 0 : bytes * nanosPerByte);
        double spent = busy ? (double) (now - forcedAtNanos) : 0;
        return (long) (spent > all ? all : all - Math.min(spent, all / MOST_SPENT));
    }

    /** Whether that is too long. */
    boolean isTooLong(int records, long bytes, long now) {
        return limitNanos > 0
                && nanos(records, bytes, now)
                        > Math.max(
                                limitNanos, GRANTED_GROUPS * Math.min(fastestNanos, Long.MAX_VALUE / GRANTED_GROUPS));
    }

    /** The least of the last few samples. */
    private static final class Least {
        private final double[] samples = new double[16];
        private int next;
        private int known;

        double add(double sample) {
            samples[next] = sample;
            next = (next + 1) % samples.length;
            known = Math.min(known + 1, samples.length);
            double least = sample;
            for (int i = 0; i < known; i++) {
                least = Math.min(least, samples[i]);
            }
            return least;
        }
    }

    /** The cost of a byte in the last few rounds, without the longest of them: a single slow force says nothing about bytes. */
    private static final class Rounds {
        private final double[] nanos = new double[ROUNDS];
        private final double[] bytes = new double[ROUNDS];
        private int next;
        private int known;

        void clear() {
            next = 0;
            known = 0;
        }

        double add(double itsNanos, double itsBytes) {
            nanos[next] = itsNanos;
            bytes[next] = itsBytes;
            next = (next + 1) % nanos.length;
            known = Math.min(known + 1, nanos.length);
            double allNanos = 0;
            double allBytes = 0;
            int longest = 0;
            for (int i = 0; i < known; i++) {
                allNanos += nanos[i];
                allBytes += bytes[i];
                longest = nanos[i] > nanos[longest] ? i : longest;
            }
            return known == 1 ? 0 : (allNanos - nanos[longest]) / (allBytes - bytes[longest]);
        }
    }
}
