package io.plog.log.bookkeeper;

import io.plog.log.spi.StoredRepair;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A log whose last ledger is gone, and was empty as far as is known: no checkpoint reaches into it, and no bookie has an entry of
 * it. A new one takes its place. For one thread.
 */
final class LedgerRepair implements StoredRepair {
    private final LedgerStore store;
    private final LogNode node;
    private final LogDamagedException damage;

    private LedgerRepair(LedgerStore store, LogNode node, LogDamagedException damage) {
        this.store = store;
        this.node = node;
        this.damage = damage;
    }

    /**
     * Looks whether this is needed and possible; changes nothing. Closes the store unless there is something to do.
     *
     * @return what can be done; empty if the last ledger is there
     * @throws LogException if the ledger is gone and held records, the list is not the last one, or there is no such log
     * @throws IOException if it cannot be determined, because bookies or ZooKeeper do not answer
     */
    static Optional<StoredRepair> plan(String name, LedgerStore store, LogClock clock) throws IOException {
        LedgerRepair repair = null;
        try {
            repair = find(name, store, clock);
            return Optional.ofNullable(repair);
        } finally {
            if (repair == null) {
                store.close();
            }
        }
    }

    private static @Nullable LedgerRepair find(String name, LedgerStore store, LogClock clock) throws IOException {
        long readAt = clock.nanos();
        LedgerStore.Node found = store.readNode();
        if (found == null) {
            throw new LogException("there is no log " + name + ": its node is not there", null);
        }
        LedgerList list = LedgerList.decode(name, found.content());
        ChangeNotes.check(name, list.quorum(), store);
        LedgerList.Part last = list.last();
        try {
            store.lookInto(last.ledger()).close();
            return null;
        } catch (LedgerStore.NoLedgerException e) {
            if (!found.equals(store.readNode())) {
                return null; // a server has replaced it
            }
        }
        checkEmpty(store, list);
        LogNode node = new LogNode(name, store, found, list, clock, readAt);
        return new LedgerRepair(store, node, gone(last, "Nothing was changed"));
    }

    private static LogDamagedException gone(LedgerList.Part last, String advice) {
        return new LogDamagedException("ledger " + last.ledger(), 0, "the log's last ledger", "no such ledger", advice);
    }

    private static void checkEmpty(LedgerStore store, LedgerList list) throws IOException {
        LedgerList.Part last = list.last();
        String advice = "It held records, so it cannot be replaced. Nothing was changed; restore BookKeeper's metadata"
                + " from a copy";
        if (list.checkpointIndex() >= last.firstIndex()) {
            throw gone(last, "The checkpoint has the effect of record " + list.checkpointIndex() + ". " + advice);
        }
        List<String> holders = store.holdersOf(last.ledger(), 0);
        if (!holders.isEmpty()) {
            throw gone(last, "Bookies have entries of it: " + holders + ". " + advice);
        }
    }

    @Override
    public LogDamagedException damage() {
        return damage;
    }

    @Override
    public String replaces() {
        return Long.toString(node.list().last().ledger());
    }

    @Override
    public String cost() {
        LedgerList.Part last = node.list().last();
        return "a new ledger can take the place of ledger " + last.ledger() + ", which began with record "
                + last.firstIndex() + ". No bookie that is there has an entry of it, so nothing is lost unless all that"
                + " had one are gone: start every bookie before you do this";
    }

    @Override
    public void carryOut() throws IOException {
        LedgerWriter empty = store.createLedgerWhereItCan(node.list().quorum());
        empty.close();
        synchronized (node) {
            int epoch = node.nextEpoch();
            node.change(list -> list.ofWriter(UUID.randomUUID()).withLastReplaced(empty.id(), epoch));
        }
    }

    @Override
    public void close() throws IOException {
        store.close();
    }
}
