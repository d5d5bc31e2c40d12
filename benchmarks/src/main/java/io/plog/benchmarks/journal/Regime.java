package io.plog.benchmarks.journal;

/** What becomes of a journal's files while it is measured. */
public enum Regime {
    /** A burst: the files for all appends are prepared before the clock starts, and nothing is dropped. */
    PREPARED,
    /**
     * A service that has run for a while: a reserve of {@link Workload#RESERVE_BYTES} before the clock starts, and what is older
     * than the newest {@link Workload#RETAINED_BYTES} is dropped, as the journal offers it.
     */
    SUSTAINED,
    /** The same reserve, and nothing is dropped. */
    GROWING
}
