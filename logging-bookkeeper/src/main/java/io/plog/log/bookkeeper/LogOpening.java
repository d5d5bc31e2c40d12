package io.plog.log.bookkeeper;

import io.plog.log.DurableLogSupport;
import io.plog.log.LogLockedException;
import io.plog.log.RecoveryReport;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Opens a log: fences who wrote it last, recovers what was acknowledged, and enters a ledger of its own into the list.
 *
 * @param node the list with this writer's ledger in it
 * @param ledger where appends go
 * @param report what was found
 */
record LogOpening(LogNode node, LedgerWriter ledger, RecoveryReport report) {

    /**
     * Opens it.
     *
     * @param name the log's, for messages
     * @param asked the quorum that was asked for; null for whatever the log was made with
     * @param wallSeconds now, in seconds since 1970
     * @throws LogLockedException if another writer opened it at the same time
     */
    static LogOpening run(LedgerStore store, String name, @Nullable Quorum asked, long wallSeconds) throws IOException {
        LedgerStore.Node found = store.readNode();
        return found == null
                ? create(store, name, asked == null ? Quorum.DEFAULT : asked)
                : recover(store, name, asked, found, wallSeconds);
    }

    /**
     * Asks whose the log is.
     *
     * @throws LogLockedException if another writer than this has it
     */
    static void checkWriter(LedgerStore store, String name, UUID writer) throws IOException {
        LedgerStore.Node found = store.readNode();
        if (found == null || !LedgerList.decode(name, found.content()).writer().equals(writer)) {
            throw new LogLockedException("another server has taken log " + name + " over");
        }
    }

    private static LogOpening create(LedgerStore store, String name, Quorum quorum) throws IOException {
        LedgerWriter ledger = store.createLedgerWhereItCan(quorum);
        LedgerList list = new LedgerList(
                UUID.randomUUID(),
                UUID.randomUUID(),
                quorum,
                List.of(new LedgerList.Part(ledger.id(), 1, 0, 0)),
                null,
                Set.of(),
                Map.of());
        try {
            store.createNode(list.encode());
        } catch (LedgerStore.ConflictException e) {
            throw lost(store, name, ledger);
        }
        RecoveryReport report = new RecoveryReport(1, 0, 0, true, 0, "", "created log " + name + ", " + quorum);
        return new LogOpening(new LogNode(store, list, 0), ledger, report);
    }

    private static LogOpening recover(
            LedgerStore store, String name, @Nullable Quorum asked, LedgerStore.Node found, long wallSeconds)
            throws IOException {
        LedgerList list = LedgerList.decode(name, found.content());
        list.checkQuorum(name, asked);
        LedgerList.Part last = list.last();
        long entries;
        long bytes;
        boolean inOrder;
        try (LedgerReader tail = store.recoverLedger(last.ledger())) {
            entries = tail.entries();
            bytes = tail.bytes();
            inOrder = tail.wasClosed();
        } catch (LedgerStore.NoLedgerException e) {
            throw lostLedger(store, name, found, last);
        }
        long next = last.firstIndex() + entries;
        if (list.checkpointIndex() >= next) {
            throw DurableLogSupport.damaged(
                    "ledger " + last.ledger(),
                    entries,
                    "records up to the checkpoint, " + list.checkpointIndex(),
                    "records up to " + (next - 1),
                    "The offset counts entries. Nothing was changed; restore the ledger's bookies from a copy");
        }
        LedgerWriter ledger = store.createLedgerWhereItCan(list.quorum());
        LogNode node = new LogNode(store, list, found.version());
        try {
            enter(node, ledger, next, bytes, wallSeconds);
        } catch (LedgerStore.ConflictException e) {
            throw lost(store, name, ledger);
        }
        node.deleteGarbage(wallSeconds);
        RecoveryReport report = new RecoveryReport(
                list.firstIndex(),
                next - 1,
                inOrder ? next - 1 : last.firstIndex() - 1,
                inOrder,
                0,
                "",
                "recovered log " + name + ": records " + list.firstIndex() + " to " + (next - 1) + " in "
                        + list.ledgers().size() + " ledgers; "
                        + (inOrder ? "the last one was closed in order" : "its last writer was fenced"));
        return new LogOpening(node, ledger, report);
    }

    private static void enter(LogNode node, LedgerWriter ledger, long firstIndex, long bytesOfLast, long wallSeconds)
            throws IOException {
        synchronized (node) {
            int epoch = node.nextEpoch();
            node.change(list -> list.ofWriter(UUID.randomUUID())
                    .withLastFenced(wallSeconds)
                    .followedBy(ledger.id(), firstIndex, epoch, bytesOfLast));
        }
    }

    /** Nobody was harmed: the loser's ledger was in no list. */
    private static LogLockedException lost(LedgerStore store, String name, LedgerWriter ledger) {
        LogLockedException fenced = new LogLockedException("another server opened log " + name
                + " at the same time and has it; this one is fenced. Nothing was changed");
        try {
            store.deleteLedger(ledger.id());
        } catch (IOException e) {
            fenced.addSuppressed(e);
        }
        return fenced;
    }

    /** The list's last ledger is gone: it was empty and replaced meanwhile, or it is damage. */
    private static IOException lostLedger(LedgerStore store, String name, LedgerStore.Node found, LedgerList.Part last)
            throws IOException {
        LedgerStore.Node now = store.readNode();
        if (now != null && now.version() != found.version()) {
            return new LogLockedException("another server opened log " + name
                    + " at the same time and has it; this one is fenced. Nothing was changed");
        }
        return DurableLogSupport.damaged(
                "ledger " + last.ledger(),
                0,
                "the last ledger of log " + name,
                "no such ledger",
                "Nothing was changed; restore BookKeeper's metadata from a copy");
    }
}
