package io.plog.log.bookkeeper;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The log's list as this writer last wrote it. Every change is one compare-and-set against that version: if another writer has
 * taken the log over, it fails, and this writer's time is over. One change at a time; for any thread.
 */
final class LogNode {
    private final LedgerStore store;
    private volatile LedgerList list;
    private int version; // guarded by this
    private @Nullable LedgerList unsure; // a change that may have taken place; guarded by this

    /** @param version the node's version with this list */
    LogNode(LedgerStore store, LedgerList list, int version) {
        this.store = store;
        this.list = list;
        this.version = version;
    }

    /** The list as it is now. */
    LedgerList list() {
        return list;
    }

    /** The epoch of a ledger that comes into the list with the next change. Hold this object's monitor until then. */
    synchronized int nextEpoch() {
        return version + 1;
    }

    /**
     * Changes the list.
     *
     * @throws LedgerStore.ConflictException if another writer changed it
     * @throws IOException if it is unknown whether it was changed; the next call finds out first
     */
    synchronized void change(UnaryOperator<LedgerList> how) throws IOException {
        if (unsure != null) {
            findOut(unsure);
        }
        LedgerList next = how.apply(list);
        try {
            store.replaceNode(next.encode(), version);
        } catch (LedgerStore.ConflictException e) {
            throw e;
        } catch (IOException e) {
            unsure = next;
            if (!findOut(next)) {
                throw e;
            }
            return;
        }
        changedTo(next);
    }

    /** Reads whether a change took place, the answer to which never came. */
    private boolean findOut(LedgerList next) throws IOException {
        LedgerStore.Node now = store.readNode();
        if (now != null && now.version() == version) {
            unsure = null;
            return false;
        }
        if (now == null || now.version() != version + 1 || !now.content().equals(next.encode())) {
            throw new LedgerStore.ConflictException("another writer changed the list");
        }
        changedTo(next);
        return true;
    }

    private void changedTo(LedgerList next) {
        unsure = null;
        version++;
        list = next;
    }

    /**
     * Asks whether the log is still this writer's.
     *
     * @throws LedgerStore.ConflictException if it is another's
     */
    synchronized void check() throws IOException {
        LedgerList attempted = unsure;
        if (attempted != null) {
            findOut(attempted);
            return;
        }
        LedgerStore.Node now = store.readNode();
        if (now == null || now.version() != version) {
            throw new LedgerStore.ConflictException("another writer changed the list");
        }
    }

    /**
     * Deletes what the list calls garbage, but for ledgers that were fenced lately. What cannot be deleted stays in the list and is tried
     * again at the next call or the next opening.
     *
     * @param wallSeconds now, in seconds since 1970
     */
    synchronized void deleteGarbage(long wallSeconds) {
        list = list.withoutFencesBefore(wallSeconds - Holding.FENCE_SECONDS);
        Set<Long> deleted = new HashSet<>();
        for (long ledger : list.garbage()) {
            if (list.fenced().containsKey(ledger)) {
                continue; // a writer that knows nothing of it may be asleep, see Holding
            }
            try {
                store.deleteLedger(ledger);
                deleted.add(ledger);
            } catch (IOException e) {
                // no failure of the log: it costs room, and the list still names it
            }
        }
        list = list.withoutGarbage(deleted); // the next change says so in the node, too
    }
}
