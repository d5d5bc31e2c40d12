package io.plog.server;

/**
 * How long a record that is appended now would wait for its log, from what is there before it. By that a server refuses early
 * what it could only answer late: a queue that is full by count or bytes may hold seconds of work.
 *
 * <p>A log writes and forces what waits in <em>groups</em>, which are bounded by records and by bytes, and a few of which may
 * be under way at once. So what a queue takes is told by the groups that it makes, not by its records:
 *
 * <pre>wait = force x (1 + full groups / lanes) + bytes x cost of a byte - time spent on them already</pre>
 *
 * <p>Both costs are learnt from the groups that are forced. The <em>force</em> is what a small group takes that was alone in
 * the log. The <em>cost of a byte</em> is what much larger groups take beyond two forces. As long as no large group has shown
 * lately that bytes cost anything, they cost nothing: what is refused wrongly is lost, and what is taken wrongly shows what the
 * log can do.
 *
 * <p>{@link #forced} is called by the log, for one group at a time; the rest is safe for any thread and costs a few divisions.
 */
final class ExpectedWait {
    /** What so many of its fastest groups took is granted in any case: a device is not refused for being slow. */
    private static final int GRANTED_GROUPS = 4;

    /** A group tells what a force takes if it is at most so many times the smallest of late ... */
    private static final int SMALL = 2;

    /** ... and what bytes cost if it is at least so many times that. */
    private static final int LARGE = 4;

    /** The smallest group of late is so much of itself larger with each group that was alone, so that it is forgotten. */
    private static final int GROWTH = 16;

    /** What large groups said is not believed for longer: the device may be another by now. */
    private static final long FORGOTTEN_NANOS = 2_000_000_000;

    /**
     * Of the wait so large a part may be over already, as far as the groups under way go. A device that stalls spends much time
     * on them and makes no way for those behind.
     */
    private static final int MOST_SPENT = 2;

    private final long limitNanos;
    private final int groupRecords;
    private final long groupBytes;
    private final int lanes;

    // Of the log's threads, one at a time.
    private final Recent forces = new Recent(16, 0); // the least: others were held up, by segments that are made, say
    private final Recent byteCosts = new Recent(3, 1); // the middle one: a single slow force says nothing of bytes
    private long smallBytes = Integer.MAX_VALUE;
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
        byteCosts.add(0); // it takes two rounds to say something else
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
        // of
        // the log's time is what has passed since the one before was done.
        long spentNanos = alone ? groupNanos : Math.max(1, now - forcedAtNanos);
        busy = queued > 0;
        forcedAtNanos = now;
        if (bytes / LARGE >= smallBytes) {
            large(bytes, spentNanos, now);
        }
        if (alone) {
            smallBytes = Math.min(bytes, smallBytes + smallBytes / GROWTH + 1);
            if (bytes / SMALL <= smallBytes) {
                forceNanos = forces.add((double) groupNanos);
            }
        }
    }

    /** Groups that overlap share the device unevenly, so a sample is a round of them. */
    private void large(long bytes, long spentNanos, long now) {
        roundGroups++;
        roundNanos += spentNanos;
        roundBytes += bytes;
        if (roundGroups < lanes && busy) {
            return;
        }
        if (isForgotten(now)) {
            byteCosts.clear();
            byteCosts.add(0);
        }
        // What takes no more than two forces may have been a slow one.
        nanosPerByte = byteCosts.add(Math.max(0, (roundNanos - 2 * forceNanos) / roundBytes));
        learntAtNanos = now;
        roundGroups = 0;
        roundNanos = 0;
        roundBytes = 0;
    }

    /** A device that hangs tells nothing new, so what is known of it does not grow old meanwhile. */
    private boolean isForgotten(long now) {
        return (busy ? forcedAtNanos : now) - learntAtNanos > FORGOTTEN_NANOS;
    }

    /**
     * The wait behind so many records.
     *
     * @param bytes of their payloads together
     * @param now of {@link System#nanoTime}
     */
    long nanos(int records, long bytes, long now) {
        if (records == 0) {
            return 0;
        }
        long full = Math.max((records - 1) / groupRecords, (bytes - 1) / groupBytes);
        double all = (1 + (double) full / lanes) * forceNanos + (isForgotten(now) ? 0 : bytes * nanosPerByte);
        double spent = busy ? Math.min((double) (now - forcedAtNanos), all / MOST_SPENT) : 0;
        return (long) (all - spent);
    }

    /** Whether that is too long. */
    boolean isTooLong(int records, long bytes, long now) {
        return limitNanos > 0
                && nanos(records, bytes, now)
                        > Math.max(
                                limitNanos, GRANTED_GROUPS * Math.min(fastestNanos, Long.MAX_VALUE / GRANTED_GROUPS));
    }

    /** The last few samples, of which one by rank is believed. */
    private static final class Recent {
        private final double[] samples;
        private final int rank;
        private int count;

        /** @param rank of that sample, 0 for the smallest, as soon as there are {@code size} */
        Recent(int size, int rank) {
            this.samples = new double[size];
            this.rank = rank;
        }

        void clear() {
            count = 0;
        }

        /** Replaces the oldest sample, and returns the one that is believed now. */
        double add(double sample) {
            samples[count % samples.length] = sample;
            count = count + 1 < 2 * samples.length ? count + 1 : samples.length;
            int known = Math.min(count, samples.length);
            int wanted = (known - 1) * rank / (samples.length - 1);
            for (int i = 0; i < known; i++) {
                int smaller = 0;
                int equal = 0;
                for (int j = 0; j < known; j++) {
                    smaller += samples[j] < samples[i] ? 1 : 0;
                    equal += samples[j] == samples[i] ? 1 : 0;
                }
                if (smaller <= wanted && wanted < smaller + equal) {
                    return samples[i];
                }
            }
            throw new IllegalStateException("no sample has the rank " + wanted); // not without a NaN
        }
    }
}
