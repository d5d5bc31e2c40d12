package io.plog.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A durable, ordered log of opaque records, with one writer.
 *
 * <p><strong>The promise.</strong> When an append is acknowledged, its record is stable as {@link LogOptions#force} says, in
 * its place in the order, with every record before it. It is there after any crash. Recovery never loses, invents, repeats
 * or reorders such a record. Where the promise cannot be kept, an exception says so.
 *
 * <p><strong>Threads.</strong> Every method may be called from any thread, unless it says otherwise. Appends of one thread
 * are logged in the order of its calls. The log writes on threads of its own and on those of callers who wait in
 * {@link #appendAndWait}; an interrupt of a caller affects no other append.
 *
 * <p><strong>Failure.</strong> After a write or force that fails, the log is failed for good: every append that waits, and
 * every later one, ends with {@link LogFailedException}. Close it, and open it again to recover.
 */
public final class MessageLog implements DurableLog {
    private final LogOptions options;
    private final RecoveryReport recovery;
    private final OpenStripes stripes;
    private final AppendEngine engine;
    private final QueueOrder order;
    private final AppendIntake intake;
    private final LogStart start;
    private final LaneRunner runner;
    private final Housekeeper housekeeper;
    private final LogThreads threads = new LogThreads();
    private final CallbackMonitor callbacks = new CallbackMonitor();
    private final BoundedClose end;
    private final boolean checksByItself;
    private boolean closed;

    private MessageLog(
            LogOptions options,
            List<Storage> storages,
            List<Closeable> locks,
            WriterClaim claim,
            LogThreading threading)
            throws IOException {
        this.options = options;
        RecoveredLog found = Recovery.recover(storages, options, claim);
        recovery = found.report();
        stripes =
                OpenStripes.of(storages, locks, options, found, claim, guardedListener(), threading.pace(), this::fail);
        runner = threading.runner();
        engine = new AppendEngine(
                options,
                guardedListener(),
                threads,
                callbacks,
                stripes.chains(),
                recovery.lastIndex() + 1,
                found.markedIndex(),
                runner::mostRecords);
        order = new QueueOrder(options, engine);
        intake = new AppendIntake(order, threads, options.maxRecordBytes(), (int) options.spin.toNanos());
        start = new LogStart(storages, stripes.chains(), found, engine.commit, this::look, this::fail);
        end = new BoundedClose(engine, runner, callbacks, threading.timeouts());
        checksByItself = threading.lookNanos() != Housekeeper.ON_DEMAND;
        housekeeper = new Housekeeper(threading.lookNanos());
        LogListener listener = guardedListener();
        housekeeper.add(() -> callbacks.look(listener));
        housekeeper.add(this::look);
    }

    private LogListener guardedListener() {
        return new GuardedListener(options.listener(), threads, callbacks);
    }

    private void fail(Throwable cause) {
        engine.shutdown.fail(cause);
    }

    /** Checks now and then that the log is still this writer's: without appends nothing else would notice. */
    private void look() {
        try {
            stripes.checkStillOurs();
            stripes.checkLengths();
        } catch (IOException e) {
            if (DiskErrors.kindOf(e) != DiskErrors.Kind.SHORTAGE) { // the check itself needs a free file descriptor
                fail(e);
            }
        }
    }

    /**
     * Opens the log of a directory, recovering it first, or creates one where there is none. Returns when what was
     * recovered is stable and the next segments are initialised.
     *
     * @throws LogLockedException if it is open already, in this process or another
     * @throws LogDamagedException if something that was acknowledged is damaged or missing; nothing was changed
     * @throws LogRefusedException.NoSpace if there is no space for the first segment
     * @throws LogException if the directory does not exist or cannot be used, or if this way of forcing does not
     *     flush a drive on this system
     * @throws IOException if the operating system reports another error
     * @throws IllegalArgumentException if two options do not go together; the message names both, with their values
     */
    public static MessageLog open(LogOptions options) throws IOException {
        options.checkTogether();
        options.force.checkFlushes(System.getProperty("os.name", ""));
        List<Storage> storages = new ArrayList<>();
        for (Path directory : options.directories()) {
            storages.add(options.storage.open(directory));
        }
        return open(options, storages);
    }

    /** The same on another storage; {@link LogOptions#directories} is not looked at. Closes the storage in the end. */
    public static MessageLog open(LogOptions options, Storage storage) throws IOException {
        return open(options, List.of(storage));
    }

    /** The same for a striped log: a storage for each of its directories, in order. */
    public static MessageLog open(LogOptions options, List<Storage> storages) throws IOException {
        return open(options, storages, LogThreading.normal());
    }

    /** The same for tests, which decide when segments are prepared and in which order lanes work. */
    static MessageLog open(LogOptions options, List<Storage> storages, LogThreading threading) throws IOException {
        options.checkTogether();
        List<Closeable> locks = new ArrayList<>();
        WriterClaim claim = WriterClaim.ofThisProcess();
        try {
            for (Storage storage : storages) {
                locks.add(storage.lock(LogFiles.LOCK));
            }
            MessageLog log = new MessageLog(options, List.copyOf(storages), locks, claim, threading);
            log.startThreads();
            return log;
        } catch (Throwable t) {
            Takeover.giveBack(storages.subList(0, locks.size()), claim);
            for (Closeable lock : locks) {
                lock.close();
            }
            throw t;
        }
    }

    private void startThreads() {
        stripes.startPreparing();
        runner.start(engine);
        housekeeper.start();
        if (checksByItself) {
            stripes.checks().forEach(CoveredRecordsCheck::start);
        }
    }

    /** For tests: checks what the opening left unread, on the calling thread. */
    void checkCoveredRecords() {
        stripes.checks().forEach(CoveredRecordsCheck::run);
    }

    /** For tests, which put records in without waking a lane. */
    AppendOrder order() {
        return order;
    }

    /** For tests, which trigger its checks. */
    Housekeeper housekeeper() {
        return housekeeper;
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
     * @throws IllegalArgumentException if the record is longer than {@link LogOptions#maxRecordBytes}
     */
    @Override
    public CompletableFuture<Long> append(ByteBuffer... payload) {
        return intake.append(payload);
    }

    /** The same for a record in one buffer, without an array for it. */
    public CompletableFuture<Long> append(ByteBuffer payload) {
        return intake.append(payload);
    }

    /**
     * Appends a record and waits until it is durable. If none of the log's threads is at work, the caller's thread
     * writes and forces its own append and those of others that wait, and calls their callbacks.
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
     * @throws AppendInterruptedException if the caller was interrupted while it waited, for room or for the outcome;
     *     {@link AppendInterruptedException#isIndeterminate} says whether the record may be in the log
     * @throws IllegalArgumentException if the record is longer than {@link LogOptions#maxRecordBytes}
     * @throws IllegalStateException if called from a thread that does the log's work, in a callback: it would wait for itself
     */
    @Override
    public long appendAndWait(ByteBuffer... payload) throws LogException, AppendInterruptedException {
        return intake.appendAndWait(payload);
    }

    /**
     * The same for an append with callbacks: waits until its callback has run, on any thread. The caller's thread may write
     * and force as above, so the callback of a single caller runs on its own thread. An interrupt ends the wait for room, not
     * the wait for the outcome; the thread stays interrupted.
     *
     * @throws IllegalArgumentException if the record is longer than {@link LogOptions#maxRecordBytes}
     * @throws IllegalStateException if called from a thread that does the log's work, in a callback: it would wait for itself
     */
    @Override
    public void appendAndWait(Append append, ByteBuffer... payload) {
        intake.appendAndWait(append, payload);
    }

    /**
     * The same as {@link #append(ByteBuffer...)}, without a future: the outcome is reported to {@code append}, which is
     * this append's until then. The bytes belong to the log until {@link Append#onDurable} or {@link Append#onFailed} is called.
     *
     * @throws IllegalArgumentException if the record is longer than {@link LogOptions#maxRecordBytes}
     */
    @Override
    public void append(Append append, ByteBuffer... payload) {
        intake.append(append, payload);
    }

    /** The same for a record in one buffer, without an array for it. */
    public void append(Append append, ByteBuffer payload) {
        intake.append(append, payload);
    }

    /** What was found when the log was opened. */
    @Override
    public RecoveryReport recovery() {
        return recovery;
    }

    /** The index of the first record that is still in the log, or that the first record will have. */
    @Override
    public long firstIndex() {
        return start.firstIndex();
    }

    /** The index of the last durable record; {@code firstIndex() - 1} if there is none. */
    @Override
    public long durableIndex() {
        return engine.commit.durableIndex();
    }

    /**
     * Reads forward from an index, up to whatever is durable when it asks. Close the reader after use; it is for one thread.
     *
     * @param fromIndex at least {@link #firstIndex}, at most {@link #durableIndex} + 1
     * @throws IllegalArgumentException if it is not in that range
     * @throws LogReader.RecordsDroppedException if these records are being dropped
     */
    @Override
    public LogReader read(long fromIndex) throws IOException {
        return StoredLogReader.ofLive(
                stripes.storages(), stripes.chains(), fromIndex, this::firstIndex, engine.commit::durableIndex);
    }

    /**
     * Reads the last checkpoint from the disk, if there is one.
     *
     * @throws LogDamagedException if it was damaged since the log was opened
     */
    @Override
    public Optional<Checkpoint> checkpoint() throws IOException {
        return start.checkpoint();
    }

    /** The index of the last checkpoint, 0 if there is none. */
    @Override
    public long checkpointIndex() {
        return start.checkpointIndex();
    }

    /**
     * Keeps a service's state next to the log, replacing the checkpoint before. When this returns, the new one is stable;
     * after a crash before that, the one before or the new one is there. Records are dropped by {@link #truncateBefore}
     * only, which may follow.
     *
     * <p>Writes and forces on the caller's thread; appends continue meanwhile.
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
    @Override
    public void saveCheckpoint(long index, ByteBuffer... state) throws IOException {
        StackRoom.requireForWork();
        start.saveCheckpoint(index, state);
    }

    /**
     * Drops records from the beginning, after a checkpoint (the library's, {@link #saveCheckpoint}, or
     * the caller's own) has made them superfluous. Whole segments go, those whose records
     * all lie before the index; so a few older records may stay. Whatever was durable behind the index is untouched.
     *
     * @param index the first record that is still needed; at most {@link #durableIndex} + 1
     * @return the index of the first record that is still there
     * @throws IllegalArgumentException if the index lies behind what is durable
     * @throws LogException if the log is closed or failed
     */
    @Override
    public long truncateBefore(long index) throws IOException {
        StackRoom.requireForWork();
        return start.truncateBefore(index);
    }

    /** How many appends wait or are being forced. */
    @Override
    public int queuedRecords() {
        return engine.queue.records();
    }

    /** How many payload bytes wait or are being forced. */
    @Override
    public long queuedBytes() {
        return engine.queue.bytes();
    }

    /**
     * How long the current write and force have taken so far, or the oldest append has waited for them while no callback runs, in
     * nanoseconds; 0 if there is none. A disk that hangs shows here long before it fails.
     */
    @Override
    public long stalledNanos() {
        return engine.stalledNanos();
    }

    /** The bytes of the segments that are initialised and not yet in use: space that the log cannot lose. For any thread. */
    @Override
    public long reserveBytes() {
        return stripes.reserveBytes();
    }

    /**
     * The bytes of the segments that the opening left unread and that were not checked since; see
     * {@link LogOptions.Check#IN_BACKGROUND}. For any thread.
     */
    @Override
    public long uncheckedBytes() {
        return stripes.uncheckedBytes();
    }

    /** The bytes that the log's segments take on the disk, prepared ones not counted. */
    @Override
    public long sizeBytes() {
        return stripes.sizeBytes();
    }

    @Override
    public List<Long> segmentFirstIndexes() {
        return stripes.segmentFirstIndexes();
    }

    /** Why the log failed for good, or null if it did not. */
    @Override
    public @Nullable LogFailedException failure() {
        return engine.commit.failure();
    }

    /**
     * How long the current callback has taken so far, in nanoseconds; 0 if there is none. Callbacks are the methods of an
     * {@link Append} and of the {@link LogListener}, and what was attached to a future. Until it returns, no other append
     * learns its outcome.
     */
    @Override
    public long callbackNanos() {
        return callbacks.longestNanos();
    }

    /**
     * Refuses new appends, makes accepted ones durable and acknowledges them, writes the closing mark, and releases the
     * directory. Waits as long as there is progress. A second call does nothing.
     *
     * <p>There is no progress if a callback has not returned for 10 seconds, or an operation on the disk for 60. Then the log is
     * given up and this throws. Nothing more is written, and every append that waits is completed, at once or on another
     * thread: futures and callers of {@link #appendAndWait(ByteBuffer...)} whose records are durable succeed; all others learn
     * that the outcome is unknown. The directory is released only if no operation in it is still running.
     *
     * @throws LogFailedException if the log had failed, or failed now; the directory is released all the same
     * @throws LogException if it was given up; the message says what it waited for, and whether the directory is free
     * @throws IllegalStateException if called from a thread that does the log's work, in a callback: it would wait for itself
     */
    @Override
    public void close() throws IOException {
        intake.checkMayWait("close()");
        StackRoom.requireForWork();
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        housekeeper.stop(Housekeeper.PERIOD_NANOS);
        end.endLanes();
        boolean free = endOthers() && end.isDiskIdle();
        List<IOException> problems = free ? stripes.release(engine.commit.failure() == null) : List.of();
        String reason = end.reasonToGiveUp();
        LogFailedException failed = engine.commit.failure();
        if (reason != null) {
            LogException givenUp = new LogException("the log was closed without order, since " + reason
                    + (free
                            ? "; its directory is free, and the next opening recovers it"
                            : "; its directory stays locked until this process ends"));
            problems.forEach(givenUp::addSuppressed);
            throw givenUp;
        }
        if (failed != null) {
            // An exception of its own: the caller may be on its way out with the one that an append ended with, and
            // try-with-resources cannot add an exception to itself.
            LogFailedException again =
                    new LogFailedException("closed a log that had failed: " + failed.getMessage(), failed);
            problems.forEach(again::addSuppressed);
            throw again;
        }
        if (!problems.isEmpty()) {
            throw problems.get(0);
        }
    }

    /** Ends preparing, checks, checkpoints and truncations; returns whether all of them ended. */
    private boolean endOthers() {
        boolean ended = stripes.endPreparing(end);
        ended &= stripes.endChecks(end);
        return end.ended(start::close) && ended; // those that have begun finish; none begins any more
    }
}
