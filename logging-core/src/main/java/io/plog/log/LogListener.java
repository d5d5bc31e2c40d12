package io.plog.log;

/**
 * Receives what the log measures about itself. Every method does nothing by default and the log allocates nothing to
 * call them, so an unused listener costs nothing.
 *
 * <p>The methods are called on threads that do the log's work, its own and those of callers who wait, and must neither block nor throw; what they throw is ignored.
 */
public interface LogListener {
    /** A listener that ignores everything. */
    LogListener NONE = new LogListener() {};

    /**
     * A group of appends became durable. Called on the log thread, before the appends are completed.
     *
     * @param records how many appends shared the force, at least 1
     * @param bytes what was written for them, headers and padding included
     * @param writeNanos how long the write took
     * @param forceNanos how long the force took; 0 where the write itself forces ({@code dsync}, {@code direct}) and
     *     where nothing is forced ({@code write})
     */
    default void batchForced(int records, long bytes, long writeNanos, long forceNanos) {}

    /** The log went on to another segment. Called on the log thread. */
    default void segmentChanged(long segment, long changeNanos) {}

    /** A segment was initialised ahead of time. Called on the thread that prepares segments. */
    default void segmentPrepared(long segment, long prepareNanos) {}

    /** There was no space to initialise the next segment. It is tried again. */
    default void segmentNotPrepared(Throwable cause) {}

    /** The log failed for good. Called once. */
    default void failed(Throwable cause) {}
}
