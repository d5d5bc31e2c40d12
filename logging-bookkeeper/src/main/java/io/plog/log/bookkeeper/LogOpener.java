package io.plog.log.bookkeeper;

import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogLockedException;
import io.plog.log.storage.RecoveryReport;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Opens a log: fences who wrote it last, recovers what was acknowledged, and enters a ledger of its own into the list. A list that
 * changes meanwhile is looked at again, so that nothing is called damaged that was replaced only. For one thread.
 */
final class LogOpener {
    /** A log that was opened, with this writer's ledger in its list. */
    record Opening(LogNode node, LedgerWriter ledger, RecoveryReport report) {}

    private static final int LOOKS = 5;

    private final LedgerStore store;
    private final String name;
    private final @Nullable Quorum asked; // null for whatever the log was made with
    private final UUID writer = UUID.randomUUID();
    private final LogClock clock;

    private LogOpener(LedgerStore store, String name, @Nullable Quorum asked, LogClock clock) {
        this.store = store;
        this.name = name;
        this.asked = asked;
        this.clock = clock;
    }

    /** Opens it; refused if another writer opened it at the same time. */
    static Opening run(LedgerStore store, String name, @Nullable Quorum asked, LogClock clock) throws IOException {
        return new LogOpener(store, name, asked, clock).open();
    }

    private Opening open() throws IOException {
        for (int look = 1; look <= LOOKS; look++) {
            long readAt = clock.nanos();
            LedgerStore.Node found = store.readNode();
            Opening opening = found == null ? create() : recover(found, readAt);
            if (opening != null) {
                return opening;
            }
        }
        throw new IOException("the list of log " + name + " changes again and again; try again later");
    }

    /** Null if the node is there meanwhile. */
    private @Nullable Opening create() throws IOException {
        Quorum quorum = asked == null ? Quorum.DEFAULT : asked;
        Set<Long> leftovers = OrphanedLedgers.ofNoLog(store, name);
        if (!leftovers.isEmpty() && store.readNode() != null) {
            return null;
        }
        ChangeNotes.check(name, quorum, store);
        LedgerWriter ledger = store.createLedgerWhereItCan(quorum);
        LedgerList list = new LedgerList(
                UUID.randomUUID(),
                writer,
                1,
                quorum,
                List.of(new LedgerList.Part(ledger.id(), 1, 0, 0)),
                null,
                leftovers,
                Map.of());
        try {
            LogNode node = LogNode.create(name, store, list, clock);
            node.deleteGarbage(clock.wallSeconds());
            RecoveryReport report = new RecoveryReport(1, 0, 0, true, 0, "", "", "created log " + name + ", " + quorum);
            return new Opening(node, ledger, report);
        } catch (LogLockedException e) {
            throw lost(ledger);
        }
    }

    /** Null if the list changed meanwhile. */
    private @Nullable Opening recover(LedgerStore.Node found, long readAt) throws IOException {
        LedgerList list = LedgerList.decode(name, found.content());
        list.checkQuorum(name, asked);
        ChangeNotes.check(name, list.quorum(), store);
        LedgerList.Part last = list.last();
        long entries;
        long bytes;
        boolean inOrder;
        try (LedgerReader tail = store.recoverLedger(last.ledger())) {
            entries = tail.entries();
            bytes = tail.bytes();
            inOrder = tail.wasClosed();
        } catch (LedgerStore.NoLedgerException e) {
            return ifUnchanged(found, noLedger(last));
        }
        long next = last.firstIndex() + entries;
        if (list.checkpointIndex() >= next) {
            return ifUnchanged(found, tooShort(last, entries, list.checkpointIndex()));
        }
        LedgerWriter ledger = store.createLedgerWhereItCan(list.quorum());
        LogNode node = new LogNode(name, store, found, list, clock, readAt);
        try {
            Set<Long> leftovers = OrphanedLedgers.of(store, list, ledger.id());
            enter(node, ledger, next, bytes, leftovers);
        } catch (OrphanedLedgers.UnnamedRecordsException e) {
            store.deleteLedger(ledger.id()); // it was not entered yet
            return ifUnchanged(found, unnamed(e));
        } catch (LogLockedException e) {
            throw lost(ledger);
        } catch (LogDamagedException e) { // the writer before changed the list while it was being fenced
            deleteUnlessNamed(ledger);
            return null;
        }
        node.deleteGarbage(clock.wallSeconds());
        return new Opening(node, ledger, report(list, last, next, inOrder));
    }

    private RecoveryReport report(LedgerList list, LedgerList.Part last, long next, boolean inOrder) {
        return new RecoveryReport(
                list.firstIndex(),
                next - 1,
                inOrder ? next - 1 : last.firstIndex() - 1,
                inOrder,
                0,
                "",
                "",
                "recovered log " + name + ": records " + list.firstIndex() + " to " + (next - 1) + " in "
                        + list.ledgers().size() + " ledgers; "
                        + (inOrder ? "the last one was closed in order" : "its last writer was fenced"));
    }

    private void enter(LogNode node, LedgerWriter ledger, long firstIndex, long bytesOfLast, Set<Long> leftovers)
            throws IOException {
        synchronized (node) {
            int epoch = node.nextEpoch();
            node.change(list -> list.ofWriter(writer)
                    .withLastFenced(clock.wallSeconds())
                    .followedBy(ledger.id(), firstIndex, epoch, bytesOfLast)
                    .withGarbage(leftovers));
        }
    }

    // ---- What is in the way ----

    /** Another writer has entered its ledger first. No harm was done. */
    private LogLockedException lost(LedgerWriter ledger) {
        LogLockedException fenced = new LogLockedException("another server opened log " + name
                + " at the same time and has it; this one is fenced. Nothing was changed");
        try {
            deleteUnlessNamed(ledger);
        } catch (IOException e) {
            fenced.addSuppressed(e);
        }
        return fenced;
    }

    /**
     * The list has advanced from the version that this opening read, so what it does not name now it never will. It may name the ledger
     * all the same: the change took place, the answer was lost, and the next writer has come.
     */
    private void deleteUnlessNamed(LedgerWriter ledger) throws IOException {
        LedgerStore.Node now = store.readNode();
        if (now != null && !LedgerList.decode(name, now.content()).names(ledger.id())) {
            store.deleteLedger(ledger.id());
        }
    }

    /** Damage is damage only if the list still is what it was when it was read. */
    private @Nullable Opening ifUnchanged(LedgerStore.Node found, LogException damage) throws IOException {
        if (found.equals(store.readNode())) {
            throw damage;
        }
        return null;
    }

    private LogException noLedger(LedgerList.Part last) {
        return new LogDamagedException(
                "ledger " + last.ledger(),
                0,
                "the last ledger of log " + name,
                "no such ledger",
                "Nothing was changed; restore BookKeeper's metadata from a copy, or see what plog log repair says");
    }

    private static LogException tooShort(LedgerList.Part last, long entries, long checkpointIndex) {
        return new LogDamagedException(
                "ledger " + last.ledger(),
                entries,
                "records up to the checkpoint, " + checkpointIndex,
                "records up to " + (last.firstIndex() + entries - 1),
                "The offset counts entries. Nothing was changed; restore the ledger's bookies from a copy");
    }

    /** It may pass: BookKeeper's client may ask a server of ZooKeeper that is behind. */
    private LogException unnamed(OrphanedLedgers.UnnamedRecordsException e) {
        return new LogException(
                "the list of log " + name + ", /plog/" + name + " in ZooKeeper, is not its last one: " + e.getMessage()
                        + ". An older copy" + " of the node was restored. Nothing was changed; restore the last one",
                e);
    }
}
