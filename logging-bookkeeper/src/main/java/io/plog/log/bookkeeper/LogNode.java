package io.plog.log.bookkeeper;

import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogLockedException;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The log's list as this writer last wrote it. Every change is one compare-and-set against that version: if another writer has
 * taken the log over, it fails, and this writer's time is over. If no answer comes, or the answer is that the version is another one,
 * the node says whose change it was: the list holds the writer's number, so no other writes the same. One change at a time; for any
 * thread.
 */
final class LogNode {
    /** How often a change is sent that did not take place. */
    private static final int ATTEMPTS = 3;

    private final String name;
    private final LedgerStore store;
    private final LogClock clock;
    private volatile LedgerList list;
    private volatile long provedAt; // the clock's time at which the log was certainly this writer's
    private String written; // what the node holds; guarded by this
    private int version; // guarded by this
    private @Nullable LedgerList unsure; // a change that may have taken place; guarded by this

    /** @param readAt the clock's time before it was read */
    LogNode(String name, LedgerStore store, LedgerStore.Node node, LedgerList list, LogClock clock, long readAt) {
        this.name = name;
        this.store = store;
        this.clock = clock;
        this.list = list;
        this.provedAt = readAt;
        this.written = node.content();
        this.version = node.version();
    }

    /** Creates the node of a new log; refused if another writer was faster. */
    static LogNode create(String name, LedgerStore store, LedgerList list, LogClock clock) throws IOException {
        LogNode created = new LogNode(name, store, new LedgerStore.Node(list.encode(), 0), list, clock, clock.nanos());
        for (int attempt = 1; ; attempt++) {
            try {
                store.createNode(created.written);
                break;
            } catch (IOException e) {
                LedgerStore.Node now = store.readNode();
                if (now != null && !now.content().equals(created.written)) {
                    throw created.taken();
                } else if (now != null) {
                    break; // only the answer was lost
                } else if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
        created.noteChange();
        return created;
    }

    /** Before anything is done that needs the list as it is now: by this an older one is recognised. */
    private void noteChange() throws IOException {
        store.noteChange(list.changes(), list.quorum());
    }

    LedgerList list() {
        return list;
    }

    /** When the log was certainly this writer's, by the clock it was given. */
    long provedAt() {
        return provedAt;
    }

    /** The epoch of a ledger that comes into the list with the next change. Hold this object's monitor until then. */
    synchronized int nextEpoch() {
        return version + 1;
    }

    /**
     * Changes the list.
     *
     * @throws LogLockedException if another writer changed it
     * @throws io.plog.log.storage.LogDamagedException if somebody else than a writer did
     * @throws IOException if it is unknown whether it was changed, or bookies could not note it; the next call finds out first
     */
    synchronized void change(UnaryOperator<LedgerList> how) throws IOException {
        if (unsure != null) {
            check();
        }
        LedgerList next = how.apply(list).changed();
        for (int attempt = 1; ; attempt++) {
            long sent = clock.nanos();
            try {
                store.replaceNode(next.encode(), version);
                changedTo(next, version + 1, sent);
                break;
            } catch (IOException e) {
                unsure = next;
                check();
                if (written.equals(next.encode())) {
                    break; // only the answer was lost
                } else if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
        noteChange();
    }

    /**
     * Asks whether the log is still this writer's.
     *
     * @throws LogLockedException if it is another's
     * @throws io.plog.log.storage.LogDamagedException if it is no writer's: somebody changed or deleted the node
     * @throws IOException if no server answers
     */
    synchronized void check() throws IOException {
        long sent = clock.nanos();
        LedgerStore.Node now = store.readNode();
        LedgerList attempted = unsure;
        if (now != null && now.content().equals(written)) {
            version = now.version();
            unsure = null;
            provedAt = sent;
        } else if (now != null && attempted != null && now.content().equals(attempted.encode())) {
            changedTo(attempted, now.version(), sent);
        } else {
            throw isOthers(now) ? taken() : changedByHand(now);
        }
    }

    private void changedTo(LedgerList next, int nextVersion, long sent) {
        unsure = null;
        version = nextVersion;
        written = next.encode();
        list = next;
        provedAt = sent;
    }

    private boolean isOthers(LedgerStore.@Nullable Node now) throws LogException {
        return now != null && !LedgerList.decode(name, now.content()).writer().equals(list.writer());
    }

    private LogLockedException taken() {
        return new LogLockedException("another server has taken log " + name + " over");
    }

    private LogException changedByHand(LedgerStore.@Nullable Node now) {
        return new LogDamagedException(
                "/plog/" + name + " in ZooKeeper",
                0,
                "the list as this server wrote it, at version " + version,
                now == null ? "no node: somebody deleted it" : "another list, at version " + now.version(),
                "No other server has taken the log over. Restore the node from a copy of ZooKeeper's data, and restart"
                        + " the server");
    }

    /** A ledger that is in no list goes into the next one, as one to be deleted. */
    synchronized void leave(long ledger) {
        list = list.withGarbage(Set.of(ledger));
    }

    /**
     * Deletes what the list calls garbage, but for ledgers that were fenced lately. What cannot be deleted stays in the list and is tried
     * again at the next call or the next opening.
     *
     * @param wallSeconds now, in seconds since 1970
     */
    synchronized void deleteGarbage(long wallSeconds) {
        list = list.withoutFencesBefore(wallSeconds - OwnershipProof.FENCE_SECONDS);
        Set<Long> deleted = new HashSet<>();
        for (long ledger : list.garbage()) {
            if (list.fenced().containsKey(ledger)) {
                continue; // a writer that knows nothing of it may be asleep, see OwnershipProof
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
