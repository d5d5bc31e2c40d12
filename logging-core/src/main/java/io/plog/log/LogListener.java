package io.plog.log;

/**
 * Receives what the log measures about itself. Every method but {@link #callbackStalled} does nothing by default and the log
 * allocates nothing to call them, so an unused listener costs nothing.
 *
 * <p>The methods are called on threads that do the log's work, its own and those of callers who wait, and must neither block
 * nor throw; what they throw is ignored. Like every callback they must not wait for the log: {@link MessageLog#appendAndWait}
 * and {@link MessageLog#close} refuse to be called from them.
 */
public interface LogListener {
    /** A listener that ignores everything. */
    LogListener NONE = new LogListener() {};

    /**
     * A batch of appends became durable. Called on the log thread, before the appends are completed.
     *
     * @param records how many appends shared the force, at least 1
     * @param bytes what was written for them, headers and padding included
     * @param writeNanos how long the write took
     * @param forceNanos how long the force took; 0 where the write itself forces ({@code dsync}, {@code direct}) and
     *     where nothing is forced ({@code write})
     */
    default void batchForced(int records, long bytes, long writeNanos, long forceNanos) {}

    /** The log changed to another segment. Called on the log thread. */
    default void segmentChanged(long segment, long changeNanos) {}

    /** A segment was initialised ahead of time, or opened after that had failed. Called on the thread that prepares segments. */
    default void segmentPrepared(long segment, long prepareNanos) {}

    /** The next segment could not be initialised, or opened, for lack of space, file descriptors or the like. It is tried again. */
    default void segmentNotPrepared(Throwable cause) {}

    /**
     * The records before a checkpoint, which the opening left unread, were checked and are intact, except those that were
     * dropped meanwhile; see {@link LogOptions.Check#IN_BACKGROUND}. Called once, on the thread that checks; if one is damaged,
     * {@link #failed} is called instead, with a {@link io.plog.log.storage.LogDamagedException}.
     *
     * @param lastIndex the last of them
     * @param bytes of the segments that were read
     * @param nanos how long it took, rests included
     */
    default void coveredRecordsChecked(long lastIndex, long bytes, long nanos) {}

    /** The log failed for good. Called once. */
    default void failed(Throwable cause) {}

    /**
     * A callback (a method of an {@link Append}, of this listener, or what was attached to a future) has not returned for more
     * than a second. Until it does, no append is completed. Called once for each such callback, by a thread of its own.
     *
     * <p>Unless it is overridden, it writes a warning with the thread's stack to the {@link System.Logger} {@code io.plog.log},
     * since the embedder's own thread may be the one that hangs.
     *
     * @param nanos how long it has taken so far
     * @param thread where it runs
     */
    default void callbackStalled(long nanos, Thread thread) {
        System.getLogger("io.plog.log").log(System.Logger.Level.WARNING, CallbackMonitor.Stall.warning(nanos, thread));
    }
}
