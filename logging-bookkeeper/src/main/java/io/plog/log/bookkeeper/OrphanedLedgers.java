package io.plog.log.bookkeeper;

import io.plog.log.storage.LogException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Ledgers that carry a log's name and are in no list: a writer died, or lost its way to ZooKeeper, after it had created one and before
 * the list named it. Nothing is appended to a ledger before the list names it, so a leftover is empty. One with entries was named once:
 * then the list is not the last one, and nothing may be concluded from it.
 */
final class OrphanedLedgers {
    /** A leftover whose bookies do not answer is passed over, and found again by openings while the log gets so many more ledgers. */
    private static final int LOOK_BACK = 8;

    /** So many are named in a message. */
    private static final int MOST_NAMED = 5;

    private OrphanedLedgers() {}

    /** A ledger of the log holds entries, and the list does not name it. */
    static final class UnnamedRecordsException extends IOException {
        UnnamedRecordsException(long ledger, long entries) {
            super("ledger " + ledger + " holds " + entries + " entries of this log, and the list does not name it");
        }
    }

    /** Orphans with a smaller number than this ledger's were looked for by those who entered the ones behind it. */
    static long since(LedgerList list) {
        List<LedgerList.Part> parts = list.ledgers();
        return parts.get(Math.max(0, parts.size() - LOOK_BACK)).ledger();
    }

    /**
     * Orphans since one of the list's last ledgers was entered. They may be deleted when the list names them as garbage: until then
     * another writer may still enter one of them, and not afterwards, for the list is another one then.
     *
     * @param own the ledger that the caller is about to enter
     * @throws UnnamedRecordsException if one holds entries
     * @throws IOException if ZooKeeper does not answer
     */
    static Set<Long> of(LedgerStore store, LedgerList list, long own) throws IOException {
        Set<Long> leftovers = new TreeSet<>();
        for (long ledger : store.ledgersAfter(since(list))) {
            if (ledger == own || list.names(ledger)) {
                continue;
            }
            long entries;
            try (LedgerReader reader = store.lookInto(ledger)) {
                entries = reader.entries();
            } catch (IOException e) {
                continue; // its bookies do not answer, or it is gone: it is in no way of others
            }
            if (entries > 0) {
                throw new UnnamedRecordsException(ledger, entries);
            }
            leftovers.add(ledger);
        }
        return leftovers;
    }

    /**
     * Ledgers of the log's name where there is no node: all are empty if this is a new log. They are fenced, for somebody may have deleted
     * the node of a log that is being written.
     *
     * @throws io.plog.log.storage.LogException if they hold entries: the node was deleted
     */
    static Set<Long> ofNoLog(LedgerStore store, String name) throws IOException {
        Set<Long> leftovers = new TreeSet<>();
        List<Long> full = new ArrayList<>();
        for (long ledger : store.ledgersAfter(-1)) {
            try (LedgerReader reader = store.recoverLedger(ledger)) {
                if (reader.entries() > 0) {
                    full.add(ledger);
                }
                leftovers.add(ledger);
            } catch (LedgerStore.NoLedgerException e) {
                // who created it has deleted it
            }
        }
        if (!full.isEmpty()) {
            throw new LogException(
                    "log " + name + " is no new log: ZooKeeper has no node /plog/" + name
                            + ", and there are ledgers with entries of that name ("
                            + full.subList(0, Math.min(MOST_NAMED, full.size()))
                            + (full.size() > MOST_NAMED ? " and " + (full.size() - MOST_NAMED) + " more" : "")
                            + "). The node was deleted, or these are other servers of ZooKeeper. Nothing was created;"
                            + " restore the node from a copy of ZooKeeper's data, or use another name",
                    null);
        }
        return leftovers;
    }
}
