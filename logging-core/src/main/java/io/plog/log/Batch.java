package io.plog.log;

import io.plog.log.segment.SegmentChain;
import io.plog.log.segment.SegmentWriter;
import io.plog.log.storage.LogException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The appends that share one write and one force: a stretch of the {@link AppendQueue}, in log order. Each lane has a few
 * batches and uses them again and again.
 *
 * <p>An append may have been left out, because its record changed or its caller left. It is given its outcome in its turn, and
 * has no place among the records.
 */
class Batch { // not final: a test does between two steps what another thread may do
    final SegmentChain segments;
    final SegmentWriter writer;
    private final BusyClock busy;

    /** Its turn to be acknowledged. Set by the lane while it leads, when all that follows is set and {@link #done} is not. */
    volatile long ticket = -1;

    // Set by the lane while it leads.
    long firstNumber;
    int count; // of all appends, those left out included
    int records; // of the records that are written
    long firstIndex;
    long payloadBytes; // of all appends: the room that they take in the queue
    long encodedBytes;

    /** For each append how many records are written up to its last, if it is not left out. */
    private final short[] recordsUpTo;

    /** For each append why it is not written; null if it is. */
    final @Nullable LogException[] refusals;

    long takenNanos;

    // What to complete, and since when it waits; used by the thread that acknowledges.
    final @Nullable Completion[] completions;
    final long[] enqueuedNanos;

    // Set by the lane when it is written and forced.
    long writeBegin;
    long forceBegin;
    long end;

    /** Written and forced, or without records; what was set before may be read by the thread that acknowledges. */
    volatile boolean done;

    /** The life of a batch: from being filled to being acknowledged or failed. */
    volatile boolean inUse;

    /**
     * @param busy the clock of the lane whose batch this is
     * @param most how many appends it takes at most
     */
    Batch(SegmentChain segments, SegmentWriter writer, BusyClock busy, int most) {
        this.segments = segments;
        this.writer = writer;
        this.busy = busy;
        recordsUpTo = new short[most];
        refusals = new LogException[most];
        completions = new Completion[most];
        enqueuedNanos = new long[most];
    }

    /** Takes an append without its record. */
    void leaveOut(LogException refusal) {
        refusals[count++] = refusal;
    }

    /** Why this append was left out of it; null if it was not, or is none of a batch that is under way. */
    @Nullable
    LogException refusalOf(long number) {
        boolean isHere = inUse && number >= firstNumber && number < firstNumber + count;
        return isHere ? refusals[(int) (number - firstNumber)] : null;
    }

    /** Takes an append of which so many records were laid out. */
    void include(int itsRecords) {
        records += itsRecords;
        recordsUpTo[count] = (short) records;
        refusals[count++] = null;
    }

    /** The index of the last record of one of its appends. */
    long indexOf(int place) {
        return firstIndex + recordsUpTo[place] - 1;
    }

    void beginWrite() {
        writeBegin = System.nanoTime();
        busy.begin(writeBegin);
    }

    void beginForce() {
        forceBegin = System.nanoTime();
    }

    /** Everything in it is durable. For {@link GroupCommit} alone. */
    void endForce() {
        end = System.nanoTime();
        if (!writer.callsForce()) {
            forceBegin = end; // what followed the write was no force
        }
        busy.end();
        segments.written(encodedBytes);
        done = true;
    }

    /** Nothing in it is to be written: each append was left out. */
    void skip() {
        if (records > 0) {
            throw new IllegalStateException("a batch of " + records + " records cannot be skipped");
        }
        done = true;
    }

    /** Whether this is its turn. To be asked before {@link #isDone}, which may be of the turn before otherwise. */
    boolean isOfTurn(long turn) {
        return ticket == turn;
    }

    /** Whether it was written and forced, or has no records. */
    boolean isDone() {
        return done;
    }

    /** Lets its lane fill it again, at once, if its turn is over; returns whether it is. */
    boolean freeBefore(long nextTurn) {
        boolean over = ticket < nextTurn;
        if (over) {
            free();
        }
        return over;
    }

    /** Its lane may fill it again. */
    void free() {
        inUse = false;
    }

    /** What to complete for one of its appends; the batch forgets it. */
    Completion takeCompletion(int place) {
        Completion completion = completions[place];
        completions[place] = null;
        return Objects.requireNonNull(completion);
    }
}
