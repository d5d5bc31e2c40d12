package io.plog.log.segment;

import java.io.IOException;

/** When segments are made. Tests supply one in which threads take turns and time does not pass. */
public interface PreparingPace {
    /** Makes a segment when it is wanted, no faster than needed; tries twice a second while there is no space. */
    PreparingPace NORMAL = new PreparingPace() {
        @Override
        public boolean isThrottled() {
            return true;
        }

        @Override
        public long nanosBetweenDeletions() {
            return 1_000_000_000;
        }
    };

    /** A thread to make them on. */
    default WorkThread newThread(String name) {
        return WorkThread.named(name);
    }

    /** Whether making a segment yields to the appends that continue meanwhile. */
    default boolean isThrottled() {
        return false;
    }

    /** Called by the preparing thread before each try to make a segment; an exception counts as a try that failed. */
    default void beforeTry(long segment) throws IOException {}

    /** Called by the preparing thread after it has closed the file of a complete segment. */
    default void putAway() {}

    /**
     * How long the preparing thread rests after it has deleted the file of a dropped segment, before the next one, in nanoseconds;
     * 0 if the thread that drops them deletes all of them at once.
     */
    default long nanosBetweenDeletions() {
        return 0;
    }

    /** How long to wait after a try that failed, in nanoseconds. */
    default long retryNanos() {
        return 500_000_000;
    }
}
