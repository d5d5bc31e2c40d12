package io.plog.log.bookkeeper;

import java.util.List;
import org.apache.bookkeeper.zookeeper.ZooKeeperClient;
import org.apache.zookeeper.KeeperException;

/** The bookies that ZooKeeper knows at this moment, for messages about too few of them. */
final class PresentBookies {
    private static final String ALL = "/ledgers/available";
    private static final String READ_ONLY = "readonly";

    private PresentBookies() {}

    /**
     * A sentence about too few of them: what was found, what was expected, where, what to do. A bookie without room on its disk takes no
     * entries, and is named.
     *
     * @param asked how the log keeps its records
     */
    static String tooFew(BookKeeperAddress address, Quorum asked, ZooKeeperClient zooKeeper) {
        String what = "too few bookies are there for log " + address.name() + " (" + asked + ")";
        String where = "by the ZooKeeper at " + address.servers();
        String advice = "start more, or create a log with a smaller ack quorum";
        try {
            List<String> readOnly = zooKeeper.getChildren(ALL + "/" + READ_ONLY, false).stream()
                    .sorted()
                    .toList();
            long writable = zooKeeper.getChildren(ALL, false).stream()
                    .filter(each -> !each.equals(READ_ONLY))
                    .count();
            return what + ": found " + writable + ", expected at least " + asked.ack() + ", " + where + ": "
                    + (readOnly.isEmpty()
                            ? advice
                            : "make room on the disks of " + String.join(", ", readOnly)
                                    + ", which take no entries as long as they are full, or start more");
        } catch (KeeperException e) {
            return what + ", " + where + ": " + advice;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return what + ", " + where + ": " + advice;
        }
    }
}
