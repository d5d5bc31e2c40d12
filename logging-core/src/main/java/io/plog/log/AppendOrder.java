package io.plog.log;

import io.plog.log.file.Payload;
import io.plog.log.storage.LogException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The order of one log, as its {@link AppendIntake} sees it. For any thread. */
interface AppendOrder {
    /**
     * Puts a record in, or a list of records.
     *
     * @param completion what to complete when the outcome is known
     * @param payload valid during the call; its buffers are the log's until then
     * @param calledNanos when it was handed over
     * @return why it was not taken; null if it was
     * @throws InterruptedException if the caller was interrupted while it waited for room; it was not taken
     */
    @Nullable
    LogException put(Completion completion, Payload payload, long calledNanos) throws InterruptedException;

    /** Lets the log begin with what was put in, unless it does so anyhow. */
    default void wake() {}

    /** The calling thread waits for this, and may do the log's work meanwhile. May return early. */
    default void workUntil(BooleanSupplier done) {}
}
