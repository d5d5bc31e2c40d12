package io.plog.log;

import org.jspecify.annotations.Nullable;

/**
 * The appends that share one write and one force: a stretch of the {@link AppendQueue}, in log order. Each lane has a few
 * and uses them again and again.
 *
 * <p>Some of them may have been left out: an append whose record changed, or whose caller left. It keeps its place among
 * those that are told their outcome, in their order, and has none among the records.
 */
final class Batch {
    final Lane lane;

    // Set by the lane while it leads.
    long ticket = -1;
    long firstNumber;
    int count; // of the places, those left out among them
    int records; // of the records that are written
    long firstIndex;
    long payloadBytes; // of all places: the room that they take in the queue
    long encodedBytes;

    /** For each place why its append is not written; null if it is. */
    final @Nullable LogException[] refusals = new LogException[SegmentWriter.MOST_RECORDS];

    long takenNanos;

    // Whom to tell, and since when they wait; used by whoever acknowledges.
    final @Nullable Object[] owners = new Object[SegmentWriter.MOST_RECORDS];
    final long[] enqueuedNanos = new long[SegmentWriter.MOST_RECORDS];

    // Set by the lane when it is forced.
    long writeBegin;
    long forceBegin;
    long end;

    /** Written and forced; what was set before may be read by whoever acknowledges. */
    volatile boolean done;

    /** From being filled to being acknowledged or told that it failed. */
    volatile boolean inUse;

    /** Takes an append without its record. */
    void leaveOut(LogException refusal) {
        refusals[count++] = refusal;
    }

    /** Takes an append whose record was laid out. */
    void include() {
        refusals[count++] = null;
        records++;
    }

    Batch(Lane lane) {
        this.lane = lane;
    }
}
