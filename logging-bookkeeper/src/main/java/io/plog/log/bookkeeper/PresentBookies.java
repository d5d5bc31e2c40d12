package io.plog.log.bookkeeper;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.zookeeper.KeeperException;

/** The bookies that ZooKeeper knows at this moment, for messages about too few of them. */
final class PresentBookies {
    private static final String ALL = "/ledgers/available";
    private static final String READ_ONLY = "readonly";

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
