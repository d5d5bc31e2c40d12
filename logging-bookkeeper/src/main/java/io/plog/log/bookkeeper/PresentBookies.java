package io.plog.log.bookkeeper;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.net.BookieId;
import org.apache.bookkeeper.proto.BookieClient;
import org.apache.bookkeeper.proto.BookieProtocol;

/** The bookies that ZooKeeper knows at this moment, for messages about too few of them. */
final class PresentBookies {
    private static final String ALL = "/ledgers/available";
    private static final String READ_ONLY = "readonly";

    private static final long CALL_SECONDS = 60;

    private PresentBookies() {}

    /** Whether BookKeeper's metadata were initialised. */
    static boolean mayBe(ZooKeeperSession zooKeeper) throws IOException {
        return zooKeeper.sendUntilAnswered("look for " + ALL, to -> to.exists(ALL, false) != null);
    }

    /** The names of those that take entries. */
    static Set<String> writable(ZooKeeperSession zooKeeper) throws IOException {
        Set<String> names = children(zooKeeper, ALL);
        names.remove(READ_ONLY);
        return names;
    }

    private static Set<String> children(ZooKeeperSession zooKeeper, String node) throws IOException {
        List<String> names = zooKeeper.sendUntilAnswered("read " + node, to -> to.getChildren(node, false));
        return new TreeSet<>(names);
    }

    private static Set<String> all(ZooKeeperSession zooKeeper) throws IOException {
        Set<String> all = writable(zooKeeper);
        all.addAll(children(zooKeeper, ALL + "/" + READ_ONLY));
        return all;
    }

    /** See {@link LedgerStore#held}. All are asked at once. */
    static Set<Long> held(long first, int count, int silent, ZooKeeperSession zooKeeper, BookieClient client)
            throws IOException {
        Set<Long> held = ConcurrentHashMap.newKeySet();
        Semaphore done = new Semaphore(0); // a permit of each bookie that has answered
        Set<String> all = all(zooKeeper);
        for (String each : all) {
            AtomicInteger left = new AtomicInteger(count);
            for (long ledger = first; ledger < first + count; ledger++) {
                client.readEntry(
                        BookieId.parse(each),
                        ledger,
                        0,
                        (code, ledgerId, entryId, content, context) -> {
                            if (code == BKException.Code.OK) {
                                held.add(ledgerId);
                            }
                            if (left.decrementAndGet() == 0) {
                                done.release();
                            }
                        },
                        null,
                        BookieProtocol.FLAG_NONE);
            }
        }
        try {
            // A bookie that does not answer is given up by the client, so this is over sooner.
            if (!done.tryAcquire(Math.max(0, all.size() - silent), CALL_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("BookKeeper did not answer for " + CALL_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            throw ZooKeeperSession.interrupted(e);
        }
        return Set.copyOf(held);
    }

    /** See {@link LedgerStore#holdersOf}. Bookies whose disks are full are asked, too. */
    static List<String> holdersOf(long ledger, ZooKeeperSession zooKeeper, BookieClient client) throws IOException {
        List<String> holders = new ArrayList<>();
        for (String each : all(zooKeeper)) {
            int code = answer(client, BookieId.parse(each), ledger, 0);
            if (code == BKException.Code.OK) {
                holders.add(each);
            } else if (!isMissing(code)) {
                throw new IOException("bookie " + PeerText.clean(each) + " does not say whether it has ledger " + ledger
                        + ": " + BKException.getMessage(code));
            }
        }
        return holders;
    }

    /** Whether a bookie that answered so has certainly not got the entry. */
    static boolean isMissing(int code) {
        return code == BKException.Code.NoSuchEntryException || code == BKException.Code.NoSuchLedgerExistsException;
    }

    /** What a bookie answers that is asked for an entry, a {@link BKException.Code}. */
    static int answer(BookieClient client, BookieId bookie, long ledger, long entry) throws IOException {
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        client.readEntry(
                bookie,
                ledger,
                entry,
                (code, ledgerId, entryId, content, context) -> answer.complete(code),
                null,
                BookieProtocol.FLAG_NONE);
        try {
            return answer.get(CALL_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            return BKException.Code.TimeoutException;
        } catch (ExecutionException e) {
            throw new IllegalStateException("it is completed with codes only", e);
        } catch (InterruptedException e) {
            throw ZooKeeperSession.interrupted(e);
        }
    }

    /**
     * A sentence about too few of them: what was found, what was expected, where, what to do. A bookie without room on its disk takes no
     * entries, and is named.
     *
     * @param asked how the log keeps its records
     */
    static String tooFew(BookKeeperAddress address, Quorum asked, ZooKeeperSession zooKeeper) {
        String what = "too few bookies are there for log " + address.name() + " (" + asked + ")";
        String where = "by the ZooKeeper at " + address.servers();
        String advice = "start more, or create a log with a smaller ack quorum";
        try {
            List<String> readOnly = children(zooKeeper, ALL + "/" + READ_ONLY).stream()
                    .map(PeerText::clean)
                    .toList();
            return what + ": found " + writable(zooKeeper).size() + ", expected at least " + asked.ack() + ", " + where
                    + ": "
                    + (readOnly.isEmpty()
                            ? advice
                            : "make room on the disks of " + String.join(", ", readOnly)
                                    + ", which take no entries as long as they are full, or start more");
        } catch (IOException e) {
            return what + ", " + where + ": " + advice;
        }
    }
}
