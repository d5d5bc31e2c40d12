package io.plog.log;

import io.plog.log.file.CellsFile;
import io.plog.log.file.CheckpointFile;
import io.plog.log.file.HeadFile;
import io.plog.log.file.PermanentFailure;
import io.plog.log.file.Rewind;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.Uninterruptibles;
import io.plog.log.segment.PrefixTruncation;
import io.plog.log.segment.RecoveryResult;
import io.plog.log.segment.SegmentChain;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogRefusedException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What an open log keeps besides its records: where it begins and was cut, its checkpoint, its cells. For any thread. */
final class LogMetadata {
    private final List<Storage> storages;
    private final List<SegmentChain> stripes;
    private final UUID logId;
    private final GroupCommit commit;
    private final Runnable ownershipCheck;
    private final Consumer<Throwable> fail;
    private static final long RETRY_NANOS = 50_000;

    private final BooleanSupplier isLogsThread;
    private final AtomicInteger rewinding =
            new AtomicInteger(); // how many callers cut the log at its end, or wait for that
    private final ReentrantLock lock = new ReentrantLock(); // held while head and checkpoint are read or replaced
    private volatile long checkpointIndex;
    private volatile long firstIndex;
    private long rewound; // guarded by the lock: the number of the last segment behind a cut, 0 if there is none
    private final ReentrantLock cellsLock = new ReentrantLock(); // so that a vote does not wait for a checkpoint
    private volatile @Nullable CellsFile cells; // set under both locks, replaced under this one
    private volatile boolean closed; // set under both locks

    /**
     * @param ownershipCheck looks whether the directories are still this log's, and fails the log if they are not
     * @param isLogsThread whether the calling thread does the log's work, or runs a callback
     * @param fail fails the log for good
     */
    LogMetadata(
            List<Storage> storages,
            List<SegmentChain> stripes,
            RecoveryResult found,
            GroupCommit commit,
            Runnable ownershipCheck,
            BooleanSupplier isLogsThread,
            Consumer<Throwable> fail) {
        this.storages = storages;
        this.stripes = stripes;
        this.logId = found.logId();
        this.commit = commit;
        this.ownershipCheck = ownershipCheck;
        this.isLogsThread = isLogsThread;
        this.fail = fail;
        this.checkpointIndex = found.checkpoint();
        this.firstIndex = found.report().firstIndex();
        this.rewound = found.rewound();
        this.cells = found.cells();
    }

    /** The index of the first record that is still in the log, or that the first record will have. */
    long firstIndex() {
        return firstIndex;
    }

    /** The index of the last checkpoint, 0 if there is none. */
    long checkpointIndex() {
        return checkpointIndex;
    }

    /** See {@link MessageLog#checkpoint}. */
    Optional<Checkpoint> checkpoint() throws IOException {
        lock("checkpoint()");
        try {
            checkUsable();
            Optional<Checkpoint> found = Checkpoint.read(storages.get(0));
            long index = found.isEmpty() ? 0 : found.get().index();
            if (index < checkpointIndex) { // a service that takes it for none would start from nothing
                throw new LogDamagedException(
                        CheckpointFile.NAME,
                        0,
                        "the checkpoint at index " + checkpointIndex,
                        found.isEmpty() ? "none" : "one at index " + index,
                        LogDamagedException.CLOSE_AND_RESTORE);
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    /** See {@link MessageLog#saveCheckpoint}. One call at a time; others wait. */
    void saveCheckpoint(long index, ByteBuffer... state) throws IOException {
        lock("saveCheckpoint()");
        try {
            checkUsable();
            if (index < checkpointIndex || index > commit.durableIndex()) {
                throw new IllegalArgumentException(
                        "cannot save a checkpoint at index " + index + ": the one before is at " + checkpointIndex
                                + " and the log is durable up to " + commit.durableIndex());
            }
            checkStillOurs();
            CheckpointFile.write(storages.get(0), logId, index, commit::durableIndex, state);
            checkpointIndex = index;
            reserveSpace(state);
        } catch (PermanentFailure e) {
            throw failed(e);
        } finally {
            lock.unlock();
        }
    }

    /** For the next checkpoint and the drop after it: a log at its bound on a full disk continues only if they need none. */
    private void reserveSpace(ByteBuffer... state) {
        try {
            for (Storage storage : storages) {
                HeadFile.reserveSpace(storage);
            }
            CheckpointFile.reserveSpace(storages.get(0), commit::durableIndex, state);
        } catch (IOException e) {
            // The checkpoint is saved. Space for the next one is looked for again after that one, which says what it
            // lacks.
            return;
        }
    }

    /** See {@link MessageLog#truncateBefore}. One call at a time; others wait. */
    long truncateBefore(long index) throws IOException {
        lock("truncateBefore()");
        try {
            checkUsable();
            if (index > commit.durableIndex() + 1) {
                throw new IllegalArgumentException("cannot drop what lies before " + index
                        + ": the log is durable up to " + commit.durableIndex());
            }
            checkStillOurs();
            // A reader that finds its records gone looks at the first index: it has to know before they go.
            firstIndex = PrefixTruncation.drop(
                    storages,
                    stripes,
                    logId,
                    firstIndex,
                    index,
                    checkpointIndex,
                    rewound,
                    cells != null,
                    first -> firstIndex = first);
            return firstIndex;
        } catch (PermanentFailure e) {
            throw failed(e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * See {@link MessageLog#truncateAfter}. One call at a time; others wait.
     *
     * @param appends takes it into the queue and waits for its outcome
     */
    void truncateAfter(long index, Consumer<SuffixTruncation> appends) throws IOException {
        oneByOne(() -> {
            SuffixTruncation truncation = new SuffixTruncation(index + 1, null, () -> {});
            boolean isRefused = index < Math.max(firstIndex - 1, checkpointIndex);
            if (!isRefused) {
                rewind(truncation, null, appends);
            }
            if (isRefused || truncation.isBeyond()) {
                throw new IllegalArgumentException("cannot drop what lies behind " + index + ": the log holds "
                        + firstIndex + " to " + commit.durableIndex()
                        + (checkpointIndex == 0 ? "" : ", and has a checkpoint at " + checkpointIndex));
            }
        });
    }

    /** See {@link MessageLog#reset}. One call at a time; others wait. */
    void reset(long nextIndex, ByteBuffer[] state, Consumer<SuffixTruncation> appends) throws IOException {
        oneByOne(() -> {
            LogOptions.checkFirstIndex(nextIndex);
            checkOneDirectory();
            checkStillOurs();
            long checks = 0;
            if (state.length > 0) {
                checks = CheckpointFile.prepare(storages.get(0), logId, nextIndex - 1, commit::durableIndex, state);
                PermanentFailure.forceDirectory(storages.get(0)); // before a segment says that it is there
            }
            Rewind begin = Rewind.toNothing(nextIndex, checks);
            Runnable emptied = () -> {
                firstIndex = nextIndex;
                checkpointIndex = begin.epoch() == 0 ? 0 : nextIndex - 1;
            };
            rewind(new SuffixTruncation(nextIndex, begin, emptied), begin, appends);
        });
    }

    private interface Step {
        void run() throws IOException;
    }

    private void oneByOne(Step step) throws IOException {
        rewinding.incrementAndGet();
        lock.lock();
        try {
            checkUsable();
            step.run();
        } catch (PermanentFailure e) {
            throw failed(e);
        } finally {
            lock.unlock();
            rewinding.decrementAndGet();
        }
    }

    private void rewind(SuffixTruncation truncation, @Nullable Rewind begin, Consumer<SuffixTruncation> appends)
            throws IOException {
        checkOneDirectory();
        checkStillOurs();
        appends.accept(truncation);
        LogException failure = truncation.failure();
        if (failure != null) {
            throw failure;
        }
        if (truncation.rewoundBy() > 0) {
            rewound = truncation.rewoundBy();
            try {
                if (begin != null) { // before the head lets an opening believe in it
                    CheckpointFile.settle(storages.get(0), begin.epoch());
                }
                writeHead(cells != null);
            } catch (IOException e) { // until the head knows, an opening does not look at a later checkpoint
                throw begin == null ? e : new PermanentFailure(e);
            }
            stripes.get(0).discard(truncation.gone());
        }
    }

    private void checkOneDirectory() {
        if (storages.size() > 1) {
            throw new UnsupportedOperationException("a log of several directories cannot be cut at its end");
        }
    }

    private void writeHead(boolean withCells) throws IOException {
        SegmentHeader first =
                stripes.get(0).links().byNumber().firstEntry().getValue().header();
        new HeadFile(logId, first.stripe(), first.segment(), firstIndex, checkpointIndex, rewound, withCells)
                .write(storages.get(0));
    }

    /** See {@link MessageLog#cell}. */
    Optional<byte[]> cell(String name) throws LogException {
        checkUsable();
        CellsFile known = cells;
        byte[] value = known == null ? null : known.values().get(name);
        return value == null ? Optional.empty() : Optional.of(value.clone());
    }

    /** See {@link MessageLog#putCell}. One call at a time; others wait. */
    void putCell(String name, byte[] value) throws IOException {
        boolean isFirst = cells == null; // which changes the head
        if (isFirst) {
            lock("putCell()");
        }
        cellsLock.lock();
        try {
            checkUsable();
            CellsFile before = cells;
            CellsFile next = (before == null ? CellsFile.none(logId) : before).with(name, value);
            checkStillOurs();
            if (before == null) {
                next.create(storages.get(0));
                checkStillOurs();
                writeHead(true);
            } else {
                next.write(storages.get(0), 0);
            }
            checkStillOurs(); // or who came meanwhile may have read them before
            cells = next;
        } catch (PermanentFailure e) {
            throw failed(e);
        } finally {
            cellsLock.unlock();
            if (isFirst) {
                lock.unlock();
            }
        }
    }

    /** A callback must not wait for a cut, which waits for the outcome of all appends before it. */
    private void lock(String method) {
        if (!isLogsThread.getAsBoolean()) {
            lock.lock();
            return;
        }
        while (rewinding.get() > 0 || !lock.tryLock()) {
            if (rewinding.get() > 0) {
                throw new IllegalStateException(
                        method + " called in a callback while the log is cut at its end: it would"
                                + " wait for itself. Hand over to another thread");
            }
            LockSupport.parkNanos(this, RETRY_NANOS);
        }
    }

    /** What the directory holds is unknown now, as after any force that failed. */
    private IOException failed(PermanentFailure cause) {
        fail.accept(cause);
        LogFailedException failed = commit.failure();
        return failed == null ? cause : failed;
    }

    private void checkStillOurs() throws IOException {
        ownershipCheck.run();
        checkUsable();
    }

    /** After the directory was given free it may be another writer's. */
    private void checkUsable() throws LogException {
        LogFailedException failed = commit.failure();
        if (failed != null) {
            throw failed;
        }
        if (closed) {
            throw new LogRefusedException.Closed("the log is closed");
        }
    }

    /**
     * Waits for the threads that are changing the start of the log or its cells, whatever interrupts come meanwhile, and lets no
     * other begin.
     *
     * @param nanos the longest to wait
     * @return whether nothing is under way any more
     */
    boolean close(long nanos) {
        boolean ended = close(lock, nanos);
        return close(cellsLock, nanos) && ended;
    }

    private boolean close(ReentrantLock held, long nanos) {
        boolean locked = Uninterruptibles.await(nanos, left -> held.tryLock(left, TimeUnit.NANOSECONDS));
        if (locked) {
            closed = true;
            held.unlock();
        }
        return locked;
    }
}
