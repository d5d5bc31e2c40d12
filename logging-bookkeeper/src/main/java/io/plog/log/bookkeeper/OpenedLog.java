package io.plog.log.bookkeeper;

import io.plog.log.CallerSide;
import io.plog.log.LogDamagedException;
import io.plog.log.LogFailedException;
import io.plog.log.LogLockedException;
import io.plog.log.RecoveryReport;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One opening of a log: its list, and the order of the appends since. It ends with the first failure. Changes its ledgers when they are full, or when the next one would be on more bookies. For any thread.
 */
final class OpenedLog implements QuorumCommit.Helper {
    private static final long LEAVE_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String name;
    private final LedgerStore store;
    private final CallerSide callers;
    private final LogClock clock;
    private final Executor changes;
    private final LogNode node;
    private final RecoveryReport recovery;
    private final QuorumCommit commit;
    private volatile int copies;
    private @Nullable Long leftNanos; // when a ledger was left for better bookies; guarded by this

    /**
     * Begins with the ledger that the opening made.
     *
     * @param nextIndex of the next append
     * @param changes runs what blocks while ledgers change, one after the other
     */
    OpenedLog(
            String name,
            LedgerStore store,
            LogOpening opening,
            long nextIndex,
            AppendLimits limits,
            CallerSide callers,
            LogClock clock,
            Executor changes) {
        this.name = name;
        this.store = store;
        this.callers = callers;
        this.clock = clock;
        this.changes = changes;
        node = opening.node();
        recovery = opening.report();
        LedgerList list = node.list();
        commit = new QuorumCommit(
                opening.ledger(), list.checkedEpoch(list.last()), nextIndex, limits, callers, clock, this);
    }

    /** How many copies a record has at least, as was found last; 0 if none was counted yet. */
    int copies() {
        return copies;
    }

    LedgerList list() {
        return node.list();
    }

    RecoveryReport recovery() {
        return recovery;
    }

    QuorumCommit commit() {
        return commit;
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

    /**
     * Asks whether the list is this writer's, also after a failure.
     *
     * @throws LogLockedException if it is another's
     */
    void check() throws IOException {
        node.check();
    }

    /** See {@link io.plog.log.DurableLog#isSurelyHeld}. */
    boolean isSurelyHeld() {
        LogFailedException failed = commit.failure();
        return (failed == null || failed.reason() == LogFailedException.Reason.NO_QUORUM)
                && ZooKeeperLease.isGood(clock.nanos() - node.provedAt(), store.sessionMillis());
    }

    /** See {@link io.plog.log.DurableLog#checkHeld}. */
    void checkHeld() throws IOException {
        if (commit.failure() != null) {
            check();
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

    /**
     * Changes the log's list.
     *
     * @throws io.plog.log.LogFailedException if the log is another writer's
     */
    void change(UnaryOperator<LedgerList> how) throws IOException {
        try {
            node.change(how);
        } catch (LogLockedException | LogDamagedException e) {
            commit.fail(e);
            throw Objects.requireNonNull(commit.failure());
        }
    }

    /** A ledger that was created, and that it is not known of whether the list names it. */
    void leave(long ledger) {
        node.leave(ledger);
    }

    /** Deletes what the list says is to be deleted. */
    void deleteGarbage() throws IOException {
        node.deleteGarbage(clock.wallSeconds());
    }
}
