package io.plog.log.bookkeeper;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.net.BookieId;
import org.apache.bookkeeper.proto.BookieClient;
import org.apache.bookkeeper.proto.BookieProtocol;

/** The bookies that ZooKeeper knows at this moment, for messages about too few of them. */
final class PresentBookies {
    private static final String ALL = "/ledgers/available";
    private static final String READ_ONLY = "readonly";

    static final long CALL_SECONDS = 60;

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

    /**
     * What bookies are asked for.
     *
     * @param entry {@link BookieProtocol#LAST_ADD_CONFIRMED} for the last one that a bookie has
     * @param silent so many need not say whether they have it
     * @param seconds how long the others are waited for
     */
    record Asked(long ledger, long entry, int silent, long seconds) {
        Asked(long ledger, long entry, int silent) {
            this(ledger, entry, silent, CALL_SECONDS);
        }
    }

    /** Reads what is wanted of an entry, while it is there. */
    interface Content {
        long of(ByteBuf entry) throws BKException;
    }

    private record Answer(String bookie, int code, long content) {}

    /** Asks all at once, also those whose disks are full; says which have the entry, and what it contains. */
    static SortedMap<String, Long> ask(Asked asked, ZooKeeperSession zooKeeper, BookieClient client, Content content)
            throws IOException {
        BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
        Set<String> all = all(zooKeeper);
        for (String each : all) {
            client.readEntry(
                    BookieId.parse(each),
                    asked.ledger(),
                    asked.entry(),
                    (code, ledgerId, entryId, entry, context) -> answers.add(answer(each, code, entry, content)),
                    null,
                    BookieProtocol.FLAG_NONE);
        }
        SortedMap<String, Long> holders = new TreeMap<>();
        int mayFail = asked.silent();
        try {
            for (int wanted = all.size() - asked.silent(); wanted > 0; ) {
                Answer next = answers.poll(asked.seconds(), TimeUnit.SECONDS);
                if (next == null) {
                    throw new IOException("BookKeeper did not answer for " + asked.seconds() + " s");
                } else if (next.code() == BKException.Code.OK) {
                    holders.put(next.bookie(), next.content());
                    wanted--;
                } else if (isMissing(next.code())) {
                    wanted--;
                } else if (mayFail-- == 0) {
                    throw new IOException("bookie " + PeerText.clean(next.bookie())
                            + " does not say whether it has ledger " + asked.ledger() + ": "
                            + BKException.getMessage(next.code()));
                }
            }
        } catch (InterruptedException e) {
            throw ZooKeeperSession.interrupted(e);
        }
        return holders;
    }

    private static Answer answer(String bookie, int code, ByteBuf entry, Content content) {
        try {
            return new Answer(bookie, code, code == BKException.Code.OK ? content.of(entry) : 0);
        } catch (BKException e) {
            return new Answer(bookie, e.getCode(), 0);
        }
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
