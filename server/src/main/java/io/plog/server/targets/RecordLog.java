package io.plog.server.targets;

import io.plog.log.Append;
import io.plog.log.DurableLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a target needs of a log: the real one, one that waits, and in tests one that makes records durable on command.
 *
 * <p>{@link #append} is called on event loops and never blocks; {@link #appendAndWait} is called on threads that a
 * {@code ServerDesign} lets wait.
 */
public interface RecordLog extends AutoCloseable {
    /** Hands a record over; the outcome is reported to {@code append}, as {@link Append} describes. */
    void append(Append append, ByteBuffer... record);

    /** The same; returns when the outcome was reported, on this thread or another. */
    void appendAndWait(Append append, ByteBuffer... record);

    /** Where the records are, for figures; {@code null} while there is no such log. */
    default @Nullable DurableLog durableLog() {
        return null;
    }

    /**
     * Why a record should rather not be appended now, a sentence; {@code null} if it may. Asked before each append by a
     * connection that has others under way.
     */
    default @Nullable String tooLongWait() {
        return null;
    }

    /** A request was refused since there is no space for the next segment. For any thread. */
    default void refusedForSpace() {}

    /** Why requests are not taken, a part of a sentence; {@code null} if they are. */
    @Nullable
    String problem();

    /** How long the write and force under way have taken so far, in nanoseconds; 0 if none is. */
    default long stalledNanos() {
        return 0;
    }

    /** How long the target's service, or telling an outcome, has taken so far, in nanoseconds; 0 if neither is under way. */
    default long callbackNanos() {
        return 0;
    }

    /**
     * Saves the target's state next to the log, and drops the oldest records only if the log is larger than its bound. Blocks.
     *
     * @throws IOException if it could not be saved; the checkpoint before is still good
     */
    CheckpointReport checkpoint() throws IOException;

    /** Makes durable what was appended, tells every outcome, and closes. */
    @Override
    void close() throws IOException;

    /** Whether it is certain that no other server has the log. Without that, what this server knows of the state may be old. */
    default boolean isSurelyHeld() {
        return true;
    }
}
