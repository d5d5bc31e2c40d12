package io.plog.log;

import io.plog.log.storage.LogException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The order of one log, as its {@link AppendIntake} sees it. For any thread. */
interface AppendOrder {
    /**
     * Puts a record in, or a list of records.
     *
     * @param owner whom to tell the outcome: an {@link Append} or a {@link DurableFuture}
     * @param payload a {@link java.nio.ByteBuffer} or a {@code Payload}
     * @param position where in the one buffer the payload begins: the caller may move its own position meanwhile
     * @param length the bytes of it all
     * @param crc the CRC-32C that they gave
     * @param calledNanos when it was handed over
     * @return why it was not taken; null if it was
     * @throws InterruptedException if the caller was interrupted while it waited for room; it was not taken
     */
    @Nullable
    LogException put(Object owner, Object payload, int position, int length, int crc, long calledNanos)
            throws InterruptedException;

    /** Lets the log begin with what was put in. */
    void wake();

    /** The calling thread waits for this, and may do the log's work meanwhile. May return early. */
    void workUntil(BooleanSupplier done);
}
