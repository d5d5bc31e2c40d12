package io.plog.log;

import io.plog.log.segment.SegmentOptions;

/** Runs the lanes of one log. */
interface LaneRunner {
    /** Starts all lanes of this engine. Called once. */
    void start(AppendEngine engine);

    /** How many records a batch may have; asked before each. */
    default int mostRecords() {
        return SegmentOptions.MOST_RECORDS;
    }

    /**
     * Waits until all lanes have ended, for so many nanoseconds at most.
     *
     * @return whether they have
     */
    boolean join(long nanos);
}
