package io.plog.log;

import io.plog.log.file.CloseAll;
import io.plog.log.file.DiskErrors;
import io.plog.log.file.LogFiles;
import io.plog.log.file.Payload;
import io.plog.log.file.WriterClaim;
import io.plog.log.segment.CoveredRecordsCheck;
import io.plog.log.segment.RecordList;
import io.plog.log.segment.Recovery;
import io.plog.log.segment.RecoveryResult;
import io.plog.log.segment.SegmentOptions;
import io.plog.log.segment.Takeover;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogLockedException;
import io.plog.log.storage.LogRefusedException;
import io.plog.log.storage.RecoveryReport;
import io.plog.log.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A log in directories of this machine, with the promise of {@link DurableLog}. Stable is what {@link LogOptions#force} says. The
 * log writes on threads of its own and on those of callers who wait in {@link #appendAndWait}; an interrupt of a caller affects no
 * other append.
 */
public final class MessageLog implements DurableLog {
    private static final ByteBuffer[] NOTHING = {};

    private final LogOptions options;
    private final SegmentOptions segments;
    private final RecoveryReport recovery;
    private final OpenStripes stripes;
    private final AppendEngine engine;
    private final AppendIntake intake;
    private final LogMetadata metadata;
    private final RandomReads reads;
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
        segments = options.segments();
        RecoveryResult found = Recovery.recover(storages, segments, claim);
        recovery = found.report();
        stripes = new OpenStripes(
                storages,
                locks,
                segments,
                options.reserveSegments(),
                found,
                claim,
                guardedListener(),
                threading.pace(),
                this::fail);
        runner = threading.runner();
        engine = new AppendEngine(
                options,
                guardedListener(),
                threads,
                callbacks,
                stripes.chains(),
                recovery.lastIndex() + 1,
                recovery.lastIndex(),
                runner::mostRecords);
        intake = new AppendIntake(
                engine, threads, options.maxRecordBytes(), (int) options.spin().toNanos());
        metadata = new LogMetadata(
                storages, stripes.chains(), found, engine.commit, this::look, threads::isCurrentThread, this::fail);
        reads = new RandomReads(storages, stripes.chains(), metadata::firstIndex, engine.commit::durableIndex);
        end = new BoundedClose(engine, runner, callbacks, threading.timeouts());
        checksByItself = threading.lookNanos() != Housekeeper.ON_DEMAND;
        housekeeper = new Housekeeper(threading.lookNanos(), threading.watching());
        LogListener listener = guardedListener();
        housekeeper.add(() -> callbacks.look(listener, System.nanoTime()));
        var unused = DiskErrors.kindOf(new IOException()); // without descriptors its classes could not be loaded
        housekeeper.add(this::look);
    }

    private GuardedListener guardedListener() {
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
     * recovered is stable and the next segments are initialised. In the end it closes what {@link LogOptions#storage} opened.
     *
     * @throws LogLockedException if it is open already, in this process or another
     * @throws LogDamagedException if something that was acknowledged is damaged or missing; nothing was changed
     * @throws LogRefusedException.NoSpace if there is no space for the first segment
     * @throws LogException if the directory and its parent do not exist, or it cannot be used, or if this way of forcing does not
     *     flush a drive on this system
     * @throws IOException if the operating system reports another error
     * @throws IllegalArgumentException if two options do not go together; the message names both, with their values
     */
    public static MessageLog open(LogOptions options) throws IOException {
        options.checkTogether();
        return open(options, options.openStorages());
    }

    /** For tests: opens a log on another storage, which it closes in the end. */
    static MessageLog open(LogOptions options, Storage storage) throws IOException {
        return open(options, List.of(storage));
    }

    /** Opens a log with a storage for each directory, in order. */
    static MessageLog open(LogOptions options, List<Storage> storages) throws IOException {
        return open(options, storages, LogThreading.of(options.runtime()));
    }

    /** For tests, which decide when segments are prepared and in which order lanes work. */
    static MessageLog open(LogOptions options, List<Storage> storages, LogThreading threading) throws IOException {
        options.checkTogether();
        List<Closeable> locks = new ArrayList<>();
        WriterClaim mine = WriterClaim.ofThisProcess();
        WriterClaim claim = options.force().isStable() ? mine : mine.onlyWritten();
        try {
            for (Storage storage : storages) {
                locks.add(storage.lock(LogFiles.LOCK));
            }
            MessageLog log = new MessageLog(options, List.copyOf(storages), locks, claim, threading);
            try {
                log.startThreads();
            } catch (Throwable noThread) {
                log.endThreads(noThread);
                throw noThread;
            }
            return log;
        } catch (Throwable t) {
            Takeover.giveBack(storages.subList(0, locks.size()), claim);
            Closeable all = new CloseAll(locks);
            try (all) {
                throw t;
            }
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

    /** After an opening that could not start all of them: lets go of the files, too. */
    private void endThreads(Throwable cause) {
        engine.shutdown.declareFailed(cause);
        housekeeper.stop(Housekeeper.PERIOD_NANOS);
        end.endLanes();
        engine.scheduler.lanes().forEach(Lane::endIfNeverStarted);
        endOthers();
    }

    /** For tests: checks what the opening left unread, on the calling thread. */
    void checkCoveredRecords() {
        stripes.checks().forEach(CoveredRecordsCheck::run);
    }

    /** For tests, which put records in without waking a lane. */
    AppendOrder order() {
        return engine;
    }

    /** For tests, which trigger its checks. */
    Housekeeper housekeeper() {
        return housekeeper;
    }

    @Override
    public CompletableFuture<Long> append(ByteBuffer... payload) {
        return intake.append(payload);
    }

    /** {@link #append(ByteBuffer...)} for one buffer, without an array for it. */
    public CompletableFuture<Long> append(ByteBuffer payload) {
        return intake.append(Payload.of(payload, null));
    }

    @Override
    public CompletableFuture<Long> append(List<ByteBuffer> records) {
        return intake.append(Payload.of(null, new RecordList(RecordList.ANY, records, segments)));
    }

    @Override
    public CompletableFuture<Long> append(long expectedIndex, List<ByteBuffer> records) {
        return intake.append(Payload.of(null, listAt(expectedIndex, records)));
    }

    private RecordList listAt(long expectedIndex, List<ByteBuffer> records) {
        if (expectedIndex < 1) {
            throw new IllegalArgumentException("expected index " + expectedIndex + ": indexes begin with 1");
        }
        return new RecordList(expectedIndex, records, segments);
    }

    @Override
    public long appendAndWait(List<ByteBuffer> records) throws LogException {
        return intake.appendAndWait(Payload.of(null, new RecordList(RecordList.ANY, records, segments)));
    }

    @Override
    public long appendAndWait(long expectedIndex, List<ByteBuffer> records) throws LogException {
        return intake.appendAndWait(Payload.of(null, listAt(expectedIndex, records)));
    }

    @Override
    public long appendAndWait(ByteBuffer... payload) throws LogException {
        return intake.appendAndWait(payload);
    }

    @Override
    public void appendAndWait(Append append, ByteBuffer... payload) {
        intake.appendAndWait(append, payload);
    }

    @Override
    public void append(Append append, ByteBuffer... payload) {
        intake.append(append, payload);
    }

    /** {@link #append(Append, ByteBuffer...)} for one buffer, without an array for it. */
    public void append(Append append, ByteBuffer payload) {
        intake.append(append, Payload.of(payload, null));
    }

    @Override
    public RecoveryReport recovery() {
        return recovery;
    }

    @Override
    public long firstIndex() {
        return metadata.firstIndex();
    }

    @Override
    public long durableIndex() {
        return engine.commit.durableIndex();
    }

    @Override
    public boolean awaitDurable(long index, Duration atMost) throws LogException, InterruptedException {
        intake.checkMayWait("awaitDurable()");
        return engine.durableWait.await(this::durableIndex, this::failure, index, atMost);
    }

    @Override
    public LogReader read(long fromIndex) throws IOException {
        StoredLogReader.checkRange(fromIndex, firstIndex(), durableIndex());
        return StoredLogReader.ofLive(
                stripes.storages(), stripes.chains(), fromIndex, this::firstIndex, engine.commit::durableIndex);
    }

    @Override
    public Optional<byte[]> get(long index) throws IOException {
        return reads.get(index);
    }

    @Override
    public Optional<Checkpoint> checkpoint() throws IOException {
        return metadata.checkpoint();
    }

    @Override
    public long checkpointIndex() {
        return metadata.checkpointIndex();
    }

    @Override
    public void saveCheckpoint(long index, ByteBuffer... state) throws IOException {
        StackRoom.requireForWork();
        metadata.saveCheckpoint(index, state);
    }

    @Override
    public Optional<byte[]> cell(String name) throws LogException {
        return metadata.cell(name);
    }

    @Override
    public void putCell(String name, byte[] value) throws IOException {
        StackRoom.requireForWork();
        metadata.putCell(name, value);
    }

    @Override
    public long truncateBefore(long index) throws IOException {
        StackRoom.requireForWork();
        long first = metadata.truncateBefore(index);
        reads.closeDropped();
        return first;
    }

    @Override
    public void truncateAfter(long index) throws IOException {
        intake.checkMayWait("truncateAfter()");
        StackRoom.requireForWork();
        metadata.truncateAfter(index, truncation -> intake.appendAndWait(truncation, NOTHING));
        reads.closeDropped();
    }

    @Override
    public void reset(long nextIndex, ByteBuffer... state) throws IOException {
        intake.checkMayWait("reset()");
        StackRoom.requireForWork();
        metadata.reset(nextIndex, state, truncation -> intake.appendAndWait(truncation, NOTHING));
        reads.closeDropped();
    }

    @Override
    public LogStatus status() {
        return new LogStatus(
                queuedRecords(),
                queuedBytes(),
                stripes.sizeBytes(),
                stripes.reserveBytes(),
                stripes.uncheckedBytes(),
                engine.stalledNanos(),
                callbacks.longestNanos());
    }

    @Override
    public int queuedRecords() {
        return engine.queue.records();
    }

    @Override
    public long queuedBytes() {
        return engine.queue.bytes();
    }

    @Override
    public List<Long> segmentFirstIndexes() {
        return stripes.segmentFirstIndexes();
    }

    @Override
    public @Nullable LogFailedException failure() {
        return engine.commit.failure();
    }

    /**
     * Refuses new appends, makes accepted ones durable and acknowledges them, writes the closing mark, and releases the
     * directory. Waits as long as there is progress. A second call does nothing, unless the first ended with an error, as for want
     * of memory: then it goes on with what is left.
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
        try {
            endAndRelease();
        } catch (Error e) {
            synchronized (this) {
                closed = false;
            }
            throw e;
        }
    }

    private void endAndRelease() throws IOException {
        housekeeper.stop(Housekeeper.PERIOD_NANOS);
        end.endLanes();
        engine.durableWait.end();
        reads.close();
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
        return end.ended(metadata::close) && ended; // those that have begun finish; none begins any more
    }
}
