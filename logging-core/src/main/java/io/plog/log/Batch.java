package io.plog.log;

import org.jspecify.annotations.Nullable;

/**
 * The appends that share one write and one force: a stretch of the {@link AppendQueue}, in log order. Each lane has a few
 * and uses them again and again.
 */
final class Batch {
    /** No batch has more records, whatever their size. */
    static final int MOST_RECORDS = 4096;

    final Lane lane;

    // Set by the lane while it leads.
    long ticket = -1;
    long firstNumber;
    int count;
    long firstIndex;
    long payloadBytes;
    long encodedBytes;

    @Nullable
    LogException refusal; // there was no next segment for it: it is not written, and told so in its turn

    long takenNanos;

    // Whom to tell, and since when they wait; used by whoever acknowledges.
    final @Nullable Object[] owners = new Object[MOST_RECORDS];
    final long[] enqueuedNanos = new long[MOST_RECORDS];

    // Set by the lane when it is forced.
    long writeBegin;
    long forceBegin;
    long end;

    /** Written and forced; what was set before may be read by whoever acknowledges. */
    volatile boolean done;

    /** From being filled to being acknowledged or told that it failed. */
    volatile boolean inUse;

    /** What a record with this payload takes in the file, padding to the next record included. */
    static long encodedBytes(int payloadBytes) {
        return RecordHeader.align((long) RecordHeader.BYTES + payloadBytes, RecordHeader.ALIGNMENT);
    }

    Batch(Lane lane) {
        this.lane = lane;
    }
}
