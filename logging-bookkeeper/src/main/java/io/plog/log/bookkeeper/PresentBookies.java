package io.plog.log.bookkeeper;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.net.BookieId;
import org.apache.bookkeeper.proto.BookieClient;
import org.apache.bookkeeper.proto.BookieProtocol;
import org.apache.zookeeper.KeeperException;

/** The bookies that ZooKeeper knows at this moment, for messages about too few of them. */
final class PresentBookies {
    private static final String ALL = "/ledgers/available";
    private static final String READ_ONLY = "readonly";

    private static final long CALL_SECONDS = 60;

    private PresentBookies() {}

    /** The names of those that take entries. */
    static Set<String> writable(ZooKeeperSession zooKeeper) throws IOException {
        try {
            return children(zooKeeper);
        } catch (KeeperException e) {
            throw new IOException("cannot read " + ALL + " in ZooKeeper: " + e.code(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for ZooKeeper", e);
        }
    }

    /** See {@link LedgerStore#holdersOf}. Bookies whose disks are full are asked, too. */
    static List<String> holdersOf(long ledger, ZooKeeperSession zooKeeper, BookieClient client) throws IOException {
        Set<String> all = writable(zooKeeper);
        List<String> holders = new ArrayList<>();
        try {
            all.addAll(zooKeeper.sendUntilAnswered(to -> to.getChildren(ALL + "/" + READ_ONLY, false)));
            for (String each : new TreeSet<>(all)) {
                int code = firstEntry(ledger, BookieId.parse(each), client);
                if (code == BKException.Code.OK) {
                    holders.add(each);
                } else if (code != BKException.Code.NoSuchEntryException
                        && code != BKException.Code.NoSuchLedgerExistsException) {
                    throw new IOException("bookie " + PeerText.clean(each) + " does not say whether it has ledger "
                            + ledger + ": " + BKException.getMessage(code));
                }
            }
            return holders;
        } catch (KeeperException e) {
            throw new IOException("cannot read " + ALL + " in ZooKeeper: " + e.code(), e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("a bookie does not say whether it has ledger " + ledger, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for BookKeeper", e);
        }
    }

    private static int firstEntry(long ledger, BookieId bookie, BookieClient client)
            throws InterruptedException, ExecutionException, TimeoutException {
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        client.readEntry(
                bookie,
                ledger,
                0,
                (code, ledgerId, entryId, content, context) -> answer.complete(code),
                null,
                BookieProtocol.FLAG_NONE);
        return answer.get(CALL_SECONDS, TimeUnit.SECONDS);
    }

    private static Set<String> children(ZooKeeperSession zooKeeper)
            throws IOException, KeeperException, InterruptedException {
        Set<String> names = new HashSet<>(zooKeeper.sendUntilAnswered(to -> to.getChildren(ALL, false)));
        names.remove(READ_ONLY);
        return names;
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
            List<String> readOnly =
                    zooKeeper.sendUntilAnswered(to -> to.getChildren(ALL + "/" + READ_ONLY, false)).stream()
                            .map(PeerText::clean)
                            .sorted()
                            .toList();
            return what + ": found " + children(zooKeeper).size() + ", expected at least " + asked.ack() + ", " + where
                    + ": "
                    + (readOnly.isEmpty()
                            ? advice
                            : "make room on the disks of " + String.join(", ", readOnly)
                                    + ", which take no entries as long as they are full, or start more");
        } catch (IOException | KeeperException e) {
            return what + ", " + where + ": " + advice;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return what + ", " + where + ": " + advice;
        }
    }
}
