package io.plog.server.targets;

import io.plog.log.DurableLog;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What a target needs of a log: the real one, and in tests one that makes records durable on command. For any thread. */
public interface RecordLog extends AutoCloseable {
    /** Where requests are appended: by event loops, which must not block, and by threads that a {@code ServerDesign} lets wait. */
    DurableLog records();

    /**
     * Why a record should rather not be appended now, a sentence; {@code null} if it may. Asked before each append by a
     * connection that has others under way.
     */
    @Nullable
    String tooLongWait();

    /** A request was refused since there is no space for the next segment. */
    void refusedForSpace();

    /** Why requests are not taken, a part of a sentence; {@code null} if they are. */
    @Nullable
    String problem();

    /** How long the write and force under way have taken so far, in nanoseconds; 0 if none is. */
    long stalledNanos();

    /** How long the target's service, or reporting an outcome, has taken so far, in nanoseconds; 0 if neither is under way. */
    long callbackNanos();

    /**
     * Saves the target's state next to the log, and drops the oldest records only if the log is larger than its bound. Blocks.
     *
     * @throws IOException if it could not be saved; the checkpoint before is still good
     */
    CheckpointReport checkpoint() throws IOException;

    /** Whether it is certain that no other server has the log. */
    default boolean isSurelyHeld() {
        return true;
    }

    /** Makes durable what was appended, reports every outcome, and closes. */
    @Override
    void close() throws IOException;
}
