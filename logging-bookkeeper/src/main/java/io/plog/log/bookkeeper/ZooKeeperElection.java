package io.plog.log.bookkeeper;

import io.plog.log.spi.HolderElection;
import java.io.IOException;
import java.time.Duration;

/**
 * Servers queue up below a node of ZooKeeper beside the log's own, {@code /plog-holders/NAME}: each with an ephemeral node, whose number
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

    /** The same with another patience and another time, for tests. */
    ZooKeeperElection(BookKeeperAddress address, Duration patience, LogClock clock) {
        this.address = address;
        this.patience = patience;
        this.clock = clock;
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
