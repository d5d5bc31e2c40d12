package io.plog.log;

/** Runs the lanes of one log. */
interface LaneRunner {
    /** Starts all lanes of this committer. Called once. */
    void start(Committer committer);

    /** How many records a batch may have; asked before each. */
    default int mostRecords() {
        return Batch.MOST_RECORDS;
    }

    /** Whether the calling thread is one that runs a lane. */
    boolean isCurrentThread();

    /** Waits until all lanes have ended. */
    void join();
}
