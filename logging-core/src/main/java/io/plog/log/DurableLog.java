package io.plog.log;

import io.plog.log.spi.DurableLogProvider;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogLockedException;
import io.plog.log.storage.LogRefusedException;
import io.plog.log.storage.RecoveryReport;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A durable, ordered log of opaque records, with one writer, wherever it is kept: in directories of this machine
 * ({@link MessageLog}), or on several machines.
 *
 * <p><strong>The promise.</strong> When an append is acknowledged, its record is stable, in its place in the order, with every
 * record before it. It is there after any crash that the log is made for. Recovery never loses, invents, repeats or reorders
 * such a record. Indexes are dense and begin with 1.
 *
 * <p><strong>Threads.</strong> Every method may be called from any thread, unless it says otherwise. Appends of one thread
 * are logged in the order of its calls. Callbacks run on a thread that does the log's work, and must not wait for the log.
 *
 * <p><strong>Failure.</strong> After a failed append the log is failed for good: every append that waits, and every later one,
 * ends with {@link LogFailedException}. Close it, and open it again to recover.
 */
public interface DurableLog extends AutoCloseable {
    /**
     * Opens the log at an address, or creates one where there is none.
     *
     * @param address {@code file:///DIR} for a log in a directory; what other addresses there are depends on the
     *     {@link DurableLogProvider}s that the thread's context class loader finds
     * @param options how it is kept; the directories in it are not looked at, and each kind of log says which of the others it
     *     uses
     * @throws LogLockedException if another writer has it, or took it meanwhile
     * @throws LogException if nothing here can open such an address, or the log cannot be used
     * @throws IOException if the operating system reports another error
     * @throws IllegalArgumentException if the address or an option is not right; the message says what is
     */
    static DurableLog open(URI address, LogOptions options) throws IOException {
        return DurableLogProvider.of(address).open(address, options);
    }

    /**
     * Appends a record, the concatenation of the buffers' remaining bytes. Several of them may be the same buffer.
     *
     * <p><strong>Whose buffers.</strong> When this returns, the buffers' positions are at their limits (where they were, if the
     * record was refused at once), and the caller may move positions and limits as it likes. The bytes belong to the log until
     * the future completes and must not be changed before. To cancel the future, or to give up waiting for it, does
     * not return them. A record whose bytes change all the same is not written, and ends with
     * {@link LogRefusedException.RecordChanged}; other appends are not affected.
     *
     * <p>The future completes on a thread that does the log's work. Attach slow work with the {@code …Async} methods, or
     * every later append waits for it. To cancel the future does not cancel the append. To wait in a callback for it, or for
     * one derived from it, throws {@link IllegalStateException}; see {@link Append} for what is not noticed.
     *
     * <p>With {@link LogOptions.Overflow#WAIT} this waits for room, unless it is called from a callback. An interrupt ends
     * the wait with {@link LogRefusedException.QueueFull}; the thread stays interrupted.
     *
     * @return a future of the record's index, from 1; it completes when the record is durable, or exceptionally with a
     *     {@link LogException} that says whether the record may be in the log
     * @throws IllegalArgumentException if the record is longer than {@link LogOptions#maxRecordBytes}, or than the log takes
     */
    CompletableFuture<Long> append(ByteBuffer... payload);

    /**
     * Appends a record without a future: the outcome is reported to {@code append}, which belongs to this append until then. The bytes
     * belong to the log until {@link Append#onDurable} or {@link Append#onFailed} is called.
     *
     * @throws IllegalArgumentException if the record is too long
     */
    void append(Append append, ByteBuffer... payload);

    /** {@link #append(ByteBuffer...)} for all bytes of an array. */
    default CompletableFuture<Long> append(byte[] payload) {
        return append(ByteBuffer.wrap(payload));
    }

    /**
     * Appends records that are accepted together or not at all, with consecutive indexes and one outcome: one record for each
     * buffer. Otherwise as {@link #append(ByteBuffer...)}. If the bytes of one change before they are the caller's again, none is written.
     * Only a crash before the outcome can leave a part of them, the first ones; {@link RecoveryReport#lastIndex} says which. In
     * the queue they count as one append with all their bytes. A log on several machines takes no lists.
     *
     * @param records 1 to {@link LogOptions#MOST_LISTED_RECORDS}, together of at most {@link LogOptions#maxBatchBytes} and
     *     {@link LogOptions#maxQueuedBytes}, and with room in an empty segment
     * @return a future of the last record's index
     * @throws IllegalArgumentException if the list is empty, or it or one of its records is too long; the message says the limit
     * @throws UnsupportedOperationException if this log takes no lists
     */
    default CompletableFuture<Long> append(List<ByteBuffer> records) {
        throw new UnsupportedOperationException("this kind of log takes no lists of records");
    }

    /**
     * Appends records, and refuses them with {@link LogRefusedException.UnexpectedIndex} unless the first one gets this index, from 1.
     * That is decided in the order of the log. So of appends that are sent one behind the other, each with the index behind the one
     * before, none leaves a hole: if one is refused, for whatever reason, all behind it are.
     *
     * @throws IllegalArgumentException if the index is less than 1, and as above
     */
    default CompletableFuture<Long> append(long expectedIndex, List<ByteBuffer> records) {
        return append(records);
    }

    /**
     * Appends a record and waits until it is durable. If none of the threads of a log in directories is at work, the caller's
     * thread writes and forces its own append and those of others that wait, and calls their callbacks.
     *
     * <p><strong>Whose buffers.</strong> The bytes belong to the log until this returns or throws; then they are the caller's
     * again in every case, whatever the outcome. Until then the same holds as for {@link #append(ByteBuffer...)}.
     *
     * <p><strong>Interrupts.</strong> A caller that is interrupted while it waits returns at once, even if the disk hangs. A
     * record that was not laid out yet is not written, and the exception says so. A caller whose thread is doing the log's work
     * finishes that first.
     *
     * @return the record's index
     * @throws LogException if it was not acknowledged; {@link LogException#isIndeterminate} says whether it may be in the
     *     log all the same
     * @throws AppendInterruptedException if the caller was interrupted while it waited, for room or for the outcome; its thread
     *     stays interrupted
     * @throws IllegalArgumentException if the record is too long
     * @throws IllegalStateException if called in a callback of this log: it would wait for itself
     */
    long appendAndWait(ByteBuffer... payload) throws LogException;

    /** {@link #appendAndWait(ByteBuffer...)} for all bytes of an array. */
    default long appendAndWait(byte[] payload) throws LogException {
        return appendAndWait(ByteBuffer.wrap(payload));
    }

    /** {@link #append(List)}, and waits as {@link #appendAndWait(ByteBuffer...)} does. */
    default long appendAndWait(List<ByteBuffer> records) throws LogException {
        throw new UnsupportedOperationException("this kind of log takes no lists of records");
    }

    /** {@link #append(long, List)}, and waits as {@link #appendAndWait(ByteBuffer...)} does. */
    default long appendAndWait(long expectedIndex, List<ByteBuffer> records) throws LogException {
        return appendAndWait(records);
    }

    /**
     * Appends a record with callbacks, and waits until its callback has run, on any thread. The caller's thread may write
     * and force as above, so the callback of a single caller runs on its own thread. An interrupt ends the wait for room, not
     * the wait for the outcome; the thread stays interrupted.
     *
     * @throws IllegalArgumentException if the record is too long
     * @throws IllegalStateException if called in a callback of this log: it would wait for itself
     */
    void appendAndWait(Append append, ByteBuffer... payload);

    /** What was found when the log was opened. */
    RecoveryReport recovery();

    /** The index of the first record that is still in the log, or that the first record will have. */
    long firstIndex();

    /** The index of the last durable record; {@code firstIndex() - 1} if there is none. */
    long durableIndex();

    /**
     * Waits until the log is durable up to an index, for whoever reads on as soon as there is more. Costs appends nothing.
     *
     * @return whether {@link #durableIndex} was at least the index when it looked last; false after this time
     * @throws LogFailedException if the log has failed, or fails, before that
     * @throws LogRefusedException.Closed if it is closed before that
     * @throws InterruptedException if the thread is interrupted; nothing else happens
     * @throws IllegalStateException if called in a callback of this log
     * @throws UnsupportedOperationException by a log on several machines
     */
    default boolean awaitDurable(long index, Duration atMost) throws LogException, InterruptedException {
        throw new UnsupportedOperationException("this kind of log does not wait for an index");
    }

    /**
     * Reads forward from an index, up to whatever is durable when it asks. Close the reader after use; it is for one thread.
     *
     * @param fromIndex at least {@link #firstIndex}, at most {@link #durableIndex} + 1
     * @throws IllegalArgumentException if it is not in that range
     * @throws LogReader.RecordsDroppedException if these records are being dropped
     */
    LogReader read(long fromIndex) throws IOException;

    /**
     * Reads one record. For any thread, also while others append, drop and cut; blocks while the disk is read. In the page cache it takes
     * a few microseconds: a log in directories knows the place of one record in 8 KiB, for which it takes 1 byte of memory for each
     * KiB of log, and keeps the files of the {@code get}s before open, at most 32 of a directory. (Segments that the opening left unread,
     * {@link LogOptions.Check#IN_BACKGROUND}, are read through once for the first.)
     *
     * @return the payload, a copy of the caller's own; empty if there is no such record yet, or it was cut: if the index lies behind
     *     {@link #durableIndex}
     * @throws IllegalArgumentException if the index is less than 1
     * @throws LogReader.RecordsDroppedException if it lies before {@link #firstIndex}, which the exception says
     * @throws LogDamagedException if the record is damaged; it is checked each time. The log goes on
     * @throws LogException if the log is closed
     */
    default Optional<byte[]> get(long index) throws IOException {
        RandomReads.checkIndex(index, firstIndex());
        if (index > durableIndex()) {
            return Optional.empty();
        }
        try (LogReader reader = read(index)) {
            return reader.next() ? Optional.of(reader.bytes()) : Optional.empty();
        }
    }

    /**
     * Reads the last checkpoint, if there is one.
     *
     * @throws LogDamagedException if it is damaged
     */
    Optional<Checkpoint> checkpoint() throws IOException;

    /** The index of the last checkpoint, 0 if there is none. */
    long checkpointIndex();

    /**
     * Keeps a service's state next to the log, replacing the checkpoint before. When this returns, the new one is stable; after a
     * crash before that, the one before or the new one is there. Writes and forces on the
     * caller's thread; appends continue meanwhile. Records are dropped by {@link #truncateBefore} only, which may follow.
     *
     * @param index the last record whose effect the state holds, 0 for none; not before the checkpoint there is, and at most
     *     {@link #durableIndex}
     * @param state the state, the concatenation of the buffers' remaining bytes, at most 1 GiB; their positions stay.
     *     The bytes belong to the log until this returns or throws, and must not be changed before
     * @throws IllegalArgumentException if the index or the state is not in its range
     * @throws LogRefusedException.StateChanged if the state changed meanwhile; the checkpoint before is still the last one
     * @throws LogException if the log is closed or failed
     * @throws IOException if it could not be made stable; the checkpoint before, or this one, is there all the same
     */
    void saveCheckpoint(long index, ByteBuffer... state) throws IOException;

    /**
     * A small value that is kept beside the log, as an engine keeps its term and vote; read from memory.
     *
     * @return a copy; empty if there is no such cell
     * @throws LogException if the log is closed or failed
     * @throws UnsupportedOperationException if this kind of log has no cells, as one on several machines
     */
    default Optional<byte[]> cell(String name) throws LogException {
        throw new UnsupportedOperationException("this log has no cells");
    }

    /**
     * Replaces a cell. When this returns, the value is stable; after a crash before that, the one before or this one is there. Cuts
     * and truncations leave cells as they are. Writes and forces twice on the caller's thread; appends and checkpoints continue.
     *
     * @param name of 1 to 32 printable ASCII characters
     * @param value at most 4096 bytes; an empty one removes the cell
     * @throws IllegalArgumentException if one of them is not so, or this would be the 17th cell
     * @throws LogException if the log is closed or failed, also by this
     * @throws IOException if there is no space for the first one, or no file could be opened; the log goes on
     * @throws IllegalStateException if the first is put in a callback while the log is being cut: it would wait for itself
     * @throws UnsupportedOperationException if this kind of log has no cells, as one on several machines
     */
    default void putCell(String name, byte[] value) throws IOException {
        throw new UnsupportedOperationException("this log has no cells");
    }

    /**
     * Drops records from the beginning, after a checkpoint (the library's, {@link #saveCheckpoint}, or the caller's own) has made
     * them superfluous. Whole segments go, those whose records all lie before the index; so a few older records may stay. Whatever
     * was durable behind the index is untouched. Blocks; appends continue meanwhile.
     *
     * @param index the first record that is still needed; at most {@link #durableIndex} + 1
     * @return the index of the first record that is still there
     * @throws IllegalArgumentException if the index lies behind what is durable
     * @throws LogException if the log is closed or failed
     */
    long truncateBefore(long index) throws IOException;

    /**
     * Drops records from the end: the next append gets the index behind {@code index}. When this returns the cut is stable; after a
     * crash before that, all of what it takes is there or none. It takes back what was acknowledged, as a follower of a consensus
     * engine does with what its leader does not have. Appends that were accepted before it have their outcome first,
     * and go with the rest; those that come later are behind it. Readers that are behind it learn so by a
     * {@link LogReader.RecordsCutException}. Blocks.
     *
     * <p>It takes the next of the prepared segments, and space is free again when {@link #truncateBefore} comes to it.
     *
     * @param index the last record to keep, at least {@link #firstIndex} - 1 and {@link #checkpointIndex}, at most the last that was
     *     accepted; it need not be durable yet
     * @throws IllegalArgumentException if it is not in that range
     * @throws LogRefusedException.NoSpace if there is no segment to continue in; nothing was cut
     * @throws LogException if the log is closed or failed; {@link LogException#isIndeterminate} says whether it may have been cut
     * @throws IOException if what was cut could not be given free; the log goes on
     * @throws IllegalStateException if called in a callback of this log: it would wait for itself
     * @throws UnsupportedOperationException by a log on several machines or of several directories
     */
    default void truncateAfter(long index) throws IOException {
        throw new UnsupportedOperationException("this log cannot be cut at its end");
    }

    /**
     * Empties the log, and lets the next record have an index, as a follower does that installs a snapshot: every record and the
     * checkpoint go, and the snapshot becomes the checkpoint, in one step. Otherwise as {@link #truncateAfter}; a failure behind
     * that step fails the log.
     *
     * @param nextIndex from 1 to 2^62; it may be lower or higher than any there was
     * @param state of the checkpoint at {@code nextIndex - 1}, as in {@link #saveCheckpoint}; without a buffer there is no checkpoint
     *     then: who keeps the snapshot elsewhere, and finds a log that begins behind 1 and no snapshot for what is before, fetches it again
     * @throws IllegalArgumentException if one is not in its range
     * @throws LogRefusedException.StateChanged if the state changed meanwhile; nothing was cut
     */
    default void reset(long nextIndex, ByteBuffer... state) throws IOException {
        throw new UnsupportedOperationException("this log cannot be emptied");
    }

    /**
     * What is worth knowing besides about how it is kept, by name, for people and reports: the engine and its settings. Empty for a
     * log in directories.
     */
    default Map<String, String> facts() {
        return Map.of();
    }

    /** How the log is at this moment. For any thread; waits for no disk. */
    LogStatus status();

    /** {@link LogStatus#queuedRecords} alone. A service may ask before each append, so this and the next cost next to nothing. */
    int queuedRecords();

    /** {@link LogStatus#queuedBytes} alone. */
    long queuedBytes();

    /**
     * The index with which each segment of the log begins, in order, the one in use included; a segment is what {@link #truncateBefore}
     * drops as a whole. For any thread.
     */
    List<Long> segmentFirstIndexes();

    /** Why the log failed for good, or null if it did not. */
    @Nullable
    LogFailedException failure();

    /**
     * Refuses new appends, waits for the outcome of those that were accepted, and gives the log free. Waits as long as there is
     * progress. A second call does nothing.
     *
     * @throws LogFailedException if the log had failed, or failed now
     * @throws IOException if it could not be closed in order; the next opening recovers it
     * @throws IllegalStateException if called in a callback of this log: it would wait for itself
     */
    @Override
    void close() throws IOException;
}
