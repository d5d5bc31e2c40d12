package io.plog.log.bookkeeper;

import io.plog.log.Append;
import io.plog.log.AppendIntake;
import io.plog.log.AppendInterruptedException;
import io.plog.log.CallerSide;
import io.plog.log.Checkpoint;
import io.plog.log.DurableLog;
import io.plog.log.DurableLogSupport;
import io.plog.log.LogDamagedException;
import io.plog.log.LogException;
import io.plog.log.LogFailedException;
import io.plog.log.LogOptions;
import io.plog.log.LogReader;
import io.plog.log.RecoveryReport;
import io.plog.log.StateCopy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A log on several machines: an append is acknowledged when the ack quorum of bookies has forced it. To open it takes it over: a
 * writer that had it is fenced, and acknowledges nothing more.
 */
final class ReplicatedLog implements DurableLog {
    /** The longest record: an entry must fit into a frame of the bookies' protocol, 5 MiB. */
    static final int MOST_RECORD_BYTES = 4 * 1024 * 1024;

    /** How long closing waits without any progress. */
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final LedgerStore store;
    private final CallerSide callers;
    private final AppendIntake intake;
    private final ReentrantLock start =
            new ReentrantLock(); // held while the checkpoint or the first ledger is replaced
    private final OpenedLog opened;
    private volatile boolean closed; // changed under this

    private ReplicatedLog(
            String name, LedgerStore store, LogOpening opening, LogOptions options, Executor changes, LogClock clock) {
        this.store = store;
        this.callers = new CallerSide(options.listener());
        AppendLimits limits = new AppendLimits(
                options.maxQueuedRecords(),
                options.maxQueuedBytes(),
                options.overflow() == LogOptions.Overflow.WAIT,
                options.segmentBytes());
        this.opened =
                new OpenedLog(name, store, opening, opening.report().lastIndex() + 1, limits, callers, clock, changes);
        this.intake = callers.intake(opened.commit()::put, Math.min(MOST_RECORD_BYTES, options.maxRecordBytes()));
        if (clock.equals(LogClock.SYSTEM)) {
            callers.start(); // a simulated clock has no seconds in which to look
        }
    }

    /**
     * Opens a log, or creates it. Closes the store in the end, and when this throws.
     *
     * @param asked the quorum that was asked for; null for that of the log, or the default
     * @param changes runs what blocks while ledgers change, one after the other
     * @param clock the time
     */
    static ReplicatedLog open(
            String name,
            LedgerStore store,
            @Nullable Quorum asked,
            LogOptions options,
            Executor changes,
            LogClock clock)
            throws IOException {
        try {
            return new ReplicatedLog(name, store, LogOpener.run(store, name, asked, clock), options, changes, clock);
        } catch (Throwable t) {
            try {
                store.close();
            } catch (IOException e) {
                t.addSuppressed(e);
            }
            throw t;
        }
    }

    // ---- Appends ----

    @Override
    public CompletableFuture<Long> append(ByteBuffer... payload) {
        return intake.append(payload);
    }

    @Override
    public void append(Append append, ByteBuffer... payload) {
        intake.append(append, payload);
    }

    @Override
    public long appendAndWait(ByteBuffer... payload) throws LogException, AppendInterruptedException {
        return intake.appendAndWait(payload);
    }

    @Override
    public void appendAndWait(Append append, ByteBuffer... payload) {
        intake.appendAndWait(append, payload);
    }

    // ---- Reading ----

    @Override
    public RecoveryReport recovery() {
        return opened.recovery();
    }

    @Override
    public long firstIndex() {
        return opened.list().firstIndex();
    }

    @Override
    public long durableIndex() {
        return opened.commit().durableIndex();
    }

    @Override
    public LogReader read(long fromIndex) throws IOException {
        long first = firstIndex();
        long last = durableIndex();
        if (fromIndex < first || fromIndex > last + 1) {
            throw new IllegalArgumentException(
                    "cannot read from index " + fromIndex + ": the log holds " + first + " to " + last);
        }
        ReplicatedLogReader.Lists lists = new ReplicatedLogReader.Lists() {
            @Override
            public LedgerList known() {
                return opened.list();
            }

            @Override
            public LedgerList latest() throws IOException {
                opened.check(); // a writer that took the log over may have deleted what this one's list names
                return opened.list();
            }
        };
        return new ReplicatedLogReader(lists, this::readerOf, fromIndex, this::durableIndex);
    }

    /** Its ledgers, as they are now. */
    LedgerList list() {
        return opened.list();
    }

    /** For tests: the ledger that is being written. */
    long currentLedger() {
        return opened.commit().ledger().id();
    }

    private LedgerReader readerOf(LedgerList.Part part) throws IOException {
        LedgerWriter writing = opened.commit().ledger();
        return writing.id() == part.ledger() ? writing.reader() : store.openLedger(part.ledger());
    }

    @Override
    public Map<String, String> facts() {
        Quorum quorum = opened.list().quorum();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("ensemble", Integer.toString(quorum.ensemble()));
        facts.put("writeQuorum", Integer.toString(quorum.write()));
        facts.put("ackQuorum", Integer.toString(quorum.ack()));
        facts.putAll(store.facts());
        return facts;
    }

    // ---- The start of the log ----

    @Override
    public Optional<Checkpoint> checkpoint() throws IOException {
        start.lock();
        try {
            checkUsable();
            LedgerList list = opened.list();
            LedgerList.Pointer pointer = list.checkpoint();
            return pointer == null ? Optional.empty() : Optional.of(CheckpointLedger.read(store, list, pointer));
        } catch (LogDamagedException e) {
            opened.check(); // what another writer deleted is no damage
            throw e;
        } finally {
            start.unlock();
        }
    }

    @Override
    public long checkpointIndex() {
        return opened.list().checkpointIndex();
    }

    @Override
    public void saveCheckpoint(long index, ByteBuffer... state) throws IOException {
        start.lock();
        try {
            checkUsable();
            long before = checkpointIndex();
            if (index < before || index > durableIndex()) {
                throw new IllegalArgumentException("cannot save a checkpoint at index " + index
                        + ": the one before is at " + before + " and the log is durable up to " + durableIndex());
            }
            StateCopy copy = new StateCopy(state);
            LedgerWriter ledger = store.createLedgerWhereItCan(opened.list().quorum());
            nameUntilComplete(ledger.id());
            CheckpointLedger.write(ledger, opened.list().log(), index, copy);
            opened.change(list -> list.withCheckpoint(new LedgerList.Pointer(ledger.id(), index)));
            opened.deleteGarbage(); // the one before, now that the list names the new one
        } finally {
            start.unlock();
        }
    }

    /** Whatever happens while it is written, it is deleted then. */
    private void nameUntilComplete(long ledger) throws IOException {
        try {
            opened.change(list -> list.withGarbage(Set.of(ledger)));
        } catch (IOException e) {
            opened.leave(ledger);
            throw e;
        }
    }

    @Override
    public long truncateBefore(long index) throws IOException {
        start.lock();
        try {
            checkUsable();
            if (index > durableIndex() + 1) {
                throw new IllegalArgumentException(
                        "cannot drop what lies before " + index + ": the log is durable up to " + durableIndex());
            }
            opened.change(list -> list.withoutBefore(index)); // a reader looks there why its records are gone
            opened.deleteGarbage();
            return firstIndex();
        } finally {
            start.unlock();
        }
    }

    /** After a failure, or when it is closed, the log may be another writer's. */
    private void checkUsable() throws LogException {
        LogFailedException failed = opened.commit().failure();
        if (failed != null) {
            throw failed;
        }
        synchronized (this) {
            if (closed) {
                throw DurableLogSupport.closed("the log is closed");
            }
        }
    }

    // ---- Measures ----

    @Override
    public int queuedRecords() {
        return opened.commit().queuedRecords();
    }

    @Override
    public long queuedBytes() {
        return opened.commit().queuedBytes();
    }

    @Override
    public long sizeBytes() {
        return opened.list().ledgers().stream()
                        .mapToLong(LedgerList.Part::bytes)
                        .sum()
                + opened.commit().ledgerBytes();
    }

    @Override
    public List<Long> segmentFirstIndexes() {
        return opened.list().ledgers().stream().map(LedgerList.Part::firstIndex).toList();
    }

    @Override
    public long stalledNanos() {
        return opened.commit().stalledNanos();
    }

    @Override
    public long callbackNanos() {
        return callers.callbackNanos();
    }

    @Override
    public @Nullable LogFailedException failure() {
        return opened.commit().failure();
    }

    @Override
    public int copies() {
        return opened.copies();
    }

    // ---- Whose it is ----

    @Override
    public void checkHeld() throws IOException {
        opened.checkHeld();
    }

    @Override
    public boolean isSurelyHeld() {
        return !closed && opened.isSurelyHeld();
    }

    // ---- The end ----

    @Override
    public void close() throws IOException {
        intake.checkMayWait("close()");
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        callers.stop();
        opened.commit().refuse();
        boolean idle = opened.commit().awaitIdle(CLOSE_NANOS);
        if (!idle) {
            opened.commit()
                    .fail(new IOException("the log was closed, and for " + TimeUnit.NANOSECONDS.toSeconds(CLOSE_NANOS)
                            + " s no append had an outcome"));
        }
        start.lock(); // what has begun there ends
        try {
            LogFailedException failed = opened.commit().failure();
            try {
                if (failed == null) {
                    opened.commit().ledger().close();
                }
            } finally {
                store.close();
            }
            if (failed != null) {
                throw DurableLogSupport.failed(
                        "closed a log that had failed: " + failed.getMessage(), failed, true, failed.reason());
            }
        } finally {
            start.unlock();
        }
    }
}
