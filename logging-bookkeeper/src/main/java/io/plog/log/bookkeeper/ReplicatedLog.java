package io.plog.log.bookkeeper;

import io.plog.log.Append;
import io.plog.log.AppendIntake;
import io.plog.log.CallerSide;
import io.plog.log.Checkpoint;
import io.plog.log.LogFailedException;
import io.plog.log.LogOptions;
import io.plog.log.LogReader;
import io.plog.log.LogStatus;
import io.plog.log.spi.RemoteLog;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogLockedException;
import io.plog.log.storage.LogRefusedException;
import io.plog.log.storage.RecoveryReport;
import io.plog.log.storage.StateCopy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A log on several machines: an append is acknowledged when the ack quorum of bookies has forced it. To open it takes it over: a
 * writer that had it is fenced, and acknowledges nothing more. It ends with the first failure. Its ledgers change when they are full, or
 * when the next one would be on more bookies. For any thread.
 */
final class ReplicatedLog implements RemoteLog, QuorumCommit.Helper {
    /** The longest record: an entry must fit into a frame of the bookies' protocol, 5 MiB. */
    static final int MOST_RECORD_BYTES = 4 * 1024 * 1024;

    /** How long closing waits without any progress. */
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final long LEAVE_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String name;
    private final LedgerStore store;
    private final LogClock clock;
    private final Executor changes;
    private final LogNode node;
    private final RecoveryReport recovery;
    private final CallerSide callers;
    private final QuorumCommit commit;
    private final AppendIntake intake;
    private final ReentrantLock start =
            new ReentrantLock(); // held while the checkpoint or the first ledger is replaced
    private volatile int copies;
    private @Nullable Long leftNanos; // when a ledger was left for better bookies; guarded by this
    private volatile boolean closed; // changed under this

    private ReplicatedLog(
            String name,
            LedgerStore store,
            LogOpener.Opening opened,
            LogOptions options,
            Executor changes,
            LogClock clock) {
        this.name = name;
        this.store = store;
        this.clock = clock;
        this.changes = changes;
        this.node = opened.node();
        this.recovery = opened.report();
        this.callers = new CallerSide(options.listener());
        LedgerList list = node.list();
        this.commit = new QuorumCommit(
                opened.ledger(),
                list.checkedEpoch(list.last()),
                recovery.lastIndex() + 1,
                options,
                callers,
                clock,
                this);
        this.intake = callers.intake(commit::put, Math.min(MOST_RECORD_BYTES, options.maxRecordBytes()));
        if (clock.equals(LogClock.SYSTEM)) {
            callers.start(); // a simulated clock has no seconds in which to look
        }
    }

    /** Opens a log, or creates it. Closes the store in the end, and when this throws. */
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
    public long appendAndWait(ByteBuffer... payload) throws LogException {
        return intake.appendAndWait(payload);
    }

    @Override
    public void appendAndWait(Append append, ByteBuffer... payload) {
        intake.appendAndWait(append, payload);
    }

    // ---- Reading ----

    @Override
    public RecoveryReport recovery() {
        return recovery;
    }

    @Override
    public long firstIndex() {
        return list().firstIndex();
    }

    @Override
    public long durableIndex() {
        return commit.durableIndex();
    }

    @Override
    public LogReader read(long fromIndex) throws IOException {
        long first = firstIndex();
        long last = durableIndex();
        if (fromIndex < first || fromIndex > last + 1) {
            throw new IllegalArgumentException(
                    "cannot read from index " + fromIndex + ": the log holds " + first + " to " + last);
        }
        return new ReplicatedLogReader(
                store, this::list, this::checkedList, this::writersReader, fromIndex, this::durableIndex);
    }

    /** A writer that took the log over may have deleted what this one's list names. */
    private LedgerList checkedList() throws IOException {
        node.check();
        return list();
    }

    private @Nullable LedgerReader writersReader(LedgerList.Part part) {
        LedgerWriter writing = commit.ledger();
        return writing.id() == part.ledger() ? writing.reader() : null;
    }

    LedgerList list() {
        return node.list();
    }

    /** For tests: the ledger that is being written. */
    long currentLedger() {
        return commit.ledger().id();
    }

    @Override
    public Map<String, String> facts() {
        Quorum quorum = list().quorum();
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
            LedgerList list = list();
            LedgerList.Pointer pointer = list.checkpoint();
            return pointer == null ? Optional.empty() : Optional.of(CheckpointLedger.read(store, list, pointer));
        } catch (LogDamagedException e) {
            node.check(); // what another writer deleted is no damage
            throw e;
        } finally {
            start.unlock();
        }
    }

    @Override
    public long checkpointIndex() {
        return list().checkpointIndex();
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
            LedgerWriter ledger = store.createLedgerWhereItCan(list().quorum());
            nameUntilComplete(ledger.id());
            CheckpointLedger.write(ledger, list().log(), index, copy);
            change(list -> list.withCheckpoint(new LedgerList.Pointer(ledger.id(), index)));
            node.deleteGarbage(clock.wallSeconds()); // the one before, now that the list names the new one
        } finally {
            start.unlock();
        }
    }

    /** Whatever happens while it is written, it is deleted then. */
    private void nameUntilComplete(long ledger) throws IOException {
        try {
            change(list -> list.withGarbage(Set.of(ledger)));
        } catch (IOException e) {
            node.leave(ledger);
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
            change(list -> list.withoutBefore(index)); // a reader looks there why its records are gone
            node.deleteGarbage(clock.wallSeconds());
            return firstIndex();
        } finally {
            start.unlock();
        }
    }

    /** After a failure, or when it is closed, the log may be another writer's. */
    private void checkUsable() throws LogException {
        LogFailedException failed = commit.failure();
        if (failed != null) {
            throw failed;
        }
        synchronized (this) {
            if (closed) {
                throw new LogRefusedException.Closed("the log is closed");
            }
        }
    }

    // ---- Measures ----

    @Override
    public LogStatus status() {
        long size = list().ledgers().stream().mapToLong(LedgerList.Part::bytes).sum() + commit.ledgerBytes();
        return new LogStatus(
                queuedRecords(), queuedBytes(), size, 0, 0, commit.stalledNanos(), callers.callbackNanos());
    }

    @Override
    public int queuedRecords() {
        return commit.queuedRecords();
    }

    @Override
    public long queuedBytes() {
        return commit.queuedBytes();
    }

    @Override
    public List<Long> segmentFirstIndexes() {
        return list().ledgers().stream().map(LedgerList.Part::firstIndex).toList();
    }

    @Override
    public @Nullable LogFailedException failure() {
        return commit.failure();
    }

    @Override
    public int copies() {
        return copies;
    }

    // ---- Changes of ledgers ----

    @Override
    public void changeLedger(LedgerWriter full, long from, long bytes) {
        changes.execute(() -> nextLedger(full, from, bytes));
    }

    /** The full ledger is closed before the list names the next one. */
    private void nextLedger(LedgerWriter full, long from, long bytes) {
        long began = System.nanoTime();
        try {
            full.close();
            LedgerWriter next = store.createLedgerWhereItCan(list().quorum());
            LedgerList list;
            synchronized (node) {
                int epoch = node.nextEpoch();
                node.change(old -> old.followedBy(next.id(), from, epoch, bytes));
                list = node.list();
            }
            callers.listener().segmentChanged(next.id(), System.nanoTime() - began);
            commit.continueIn(next, list.checkedEpoch(list.last()));
        } catch (IOException | RuntimeException e) {
            commit.fail(e);
        }
    }

    // ---- Whose it is ----

    @Override
    public void proveHolding() {
        changes.execute(() -> {
            long nanos = clock.nanos();
            long wallSeconds = clock.wallSeconds();
            try {
                node.check();
                commit.proved(nanos, wallSeconds);
            } catch (IOException | RuntimeException e) {
                commit.fail(e);
            }
        });
    }

    @Override
    public boolean isSurelyHeld() {
        LogFailedException failed = commit.failure();
        return !closed
                && (failed == null || failed.reason() == LogFailedException.Reason.NO_QUORUM)
                && LedgerStore.surelyLives(clock.nanos() - node.provedAt(), store.sessionMillis());
    }

    @Override
    public void checkHeld() throws IOException {
        if (commit.failure() != null) {
            node.check();
            return;
        }
        try {
            node.check();
        } catch (LogLockedException | LogDamagedException e) {
            commit.fail(e);
            return;
        }
        LedgerWriter ledger = commit.ledger();
        LedgerStore.Place place = store.placeOf(ledger.id(), list().quorum());
        copies = place.copies();
        switch (place.standing()) {
            case GOOD -> {}
            case SURPASSED -> leaveForBetterPlace();
            case CLOSED -> {
                if (commit.writes(ledger)) { // so it was not closed here
                    commit.fail(new LedgerStore.FencedException("a ledger of log " + name + " was closed"));
                }
            }
        }
    }

    @Override
    public boolean isInReach(Duration atMost) {
        return store.areBookiesInReach(list().quorum().ack() - 1, atMost);
    }

    /**
     * A ledger keeps its bookies, also when one of them is gone. If the next ledger would be better, it begins now. If that does
     * not help, it is not tried at every call.
     */
    private synchronized void leaveForBetterPlace() {
        long now = clock.nanos();
        if (leftNanos == null || now - leftNanos >= LEAVE_AGAIN_NANOS) {
            commit.leaveLedger();
            leftNanos = now;
        }
    }

    /** Changes the log's list; the log has failed if it is another writer's. */
    private void change(UnaryOperator<LedgerList> how) throws IOException {
        try {
            node.change(how);
        } catch (LogLockedException | LogDamagedException e) {
            commit.fail(e);
            throw Objects.requireNonNull(commit.failure());
        }
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
        commit.refuse();
        boolean idle = commit.awaitIdle(CLOSE_NANOS);
        if (!idle) {
            commit.fail(new IOException("the log was closed, and for " + TimeUnit.NANOSECONDS.toSeconds(CLOSE_NANOS)
                    + " s no append had an outcome"));
        }
        boolean interrupted = Thread.interrupted(); // it would end the close of the ledger, too
        start.lock(); // what has begun there ends
        try {
            LogFailedException failed = commit.failure();
            try {
                if (failed == null) {
                    commit.ledger().close();
                }
            } finally {
                store.close();
            }
            if (failed != null) {
                throw new LogFailedException(
                        "closed a log that had failed: " + failed.getMessage(), failed, true, failed.reason());
            }
        } finally {
            start.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
