package io.plog.log.bookkeeper;

import io.plog.log.spi.HolderElection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * Servers queue up below a node of ZooKeeper next to the log's own, {@code /plog-holders/NAME}: each with an ephemeral node, whose number
 * ZooKeeper gives. The lowest number holds the log. Each server watches the one before it only, so that the end of one wakes one other
 * (the recipe for leader election in ZooKeeper's documentation).
 */
final class ZooKeeperElection implements HolderElection {
    static final String ROOT = "/plog-holders";

    /** How long joining waits for ZooKeeper. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final BookKeeperAddress address;
    private final Duration patience;
    private final LogClock clock;

    ZooKeeperElection(BookKeeperAddress address) {
        this(address, PATIENCE, LogClock.SYSTEM);
    }

    /** For tests. */
    ZooKeeperElection(BookKeeperAddress address, Duration patience, LogClock clock) {
        this.address = address;
        this.patience = patience;
        this.clock = clock;
    }

    /** What the servers in the queue for a log say of themselves, in their order. */
    static List<String> servers(ZooKeeper session, String log) throws KeeperException, InterruptedException {
        List<String> waiting = new ArrayList<>();
        try {
            for (String each : QueuePlace.inOrder(session.getChildren(ROOT + "/" + log, false))) {
                try {
                    Stat stat = new Stat();
                    byte[] text = session.getData(ROOT + "/" + log + "/" + each, false, stat);
                    if (stat.getEphemeralOwner() != 0) {
                        waiting.add(PeerText.clean(new String(text, StandardCharsets.UTF_8)));
                    }
                } catch (KeeperException.NoNodeException e) {
                    // it has left meanwhile
                }
            }
        } catch (KeeperException.NoNodeException e) {
            // no server has ever waited
        }
        return waiting;
    }

    @Override
    public QueuePlace join(String self, Duration notice) throws IOException {
        QueuePlace place = new QueuePlace(address, ROOT + "/" + address.name(), self, notice, clock);
        try {
            place.awaitJoined(patience);
            return place;
        } catch (IOException | RuntimeException e) {
            place.close();
            throw e;
        }
    }
}
