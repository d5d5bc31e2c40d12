package io.plog.log.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.DurableLog;
import io.plog.log.LogOptions;
import io.plog.log.bookkeeper.local.LocalZooKeeper;
import io.plog.log.storage.LogException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the log says where a real ZooKeeper knows too few bookies. */
@Timeout(60)
class PresentBookiesTest {
    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init")
    private LocalZooKeeper zooKeeper;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = LocalZooKeeper.start(Files.createDirectory(directory.resolve("zookeeper")), 0);
    }

    @AfterEach
    void stop() {
        zooKeeper.close();
    }

    private String servers() {
        return "127.0.0.1:" + zooKeeper.port();
    }

    private void open() throws IOException {
        DurableLog.open(URI.create("bookkeeper://" + servers() + "/orders"), LogOptions.in(Path.of(".")))
                .close();
    }

    @Test
    void tooFewBookiesAreCountedWithWhatTheLogNeeds() {
        assertThatThrownBy(this::open)
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "too few bookies are there for log orders (ensemble=3, write=3, ack=2): found 0, expected at"
                                + " least 2, by the ZooKeeper at " + servers()
                                + ": start more, or create a log with a smaller ack quorum");
    }

    /** A server asks again each second, for days if need be. */
    @Test
    void whereThereIsNoBookKeeperNothingIsLeftBehind() throws Exception {
        try (TestZooKeeper other = TestZooKeeper.start(Files.createDirectory(directory.resolve("other")))) {
            assertThatThrownBy(() -> BookKeeperStore.connect(other.address("orders")))
                    .isInstanceOf(LogException.class)
                    .hasMessageContaining("the ZooKeeper at 127.0.0.1:" + other.port() + " knows no BookKeeper");
            assertThat(other.sessions()).isZero();
        }
    }

    @Test
    void aCallerThatWasInterruptedLeavesNothingBehind() throws Exception {
        try (TestZooKeeper other = TestZooKeeper.start(Files.createDirectory(directory.resolve("other")))) {
            ServerConfiguration settings = new ServerConfiguration();
            settings.setMetadataServiceUri("zk+hierarchical://127.0.0.1:" + other.port() + "/ledgers");
            BookKeeperAdmin.initNewCluster(settings);
            BookKeeperStore store = BookKeeperStore.connect(other.address("orders"));
            Thread.currentThread().interrupt();
            try {
                store.close();
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
            assertThat(other.sessions()).isZero();
        }
    }

    @Test
    void bookiesWithAFullDiskAreNamed() throws Exception {
        ZooKeeperSession session = ZooKeeperSession.connect(servers());
        try {
            for (String bookie : new String[] {"readonly/bookie-2", "readonly/bookie-1", "bookie-3"}) {
                session.sendOnce(
                        "create",
                        to -> to.create(
                                "/ledgers/available/" + bookie,
                                new byte[0],
                                ZooDefs.Ids.OPEN_ACL_UNSAFE,
                                CreateMode.EPHEMERAL));
            }
            BookKeeperAddress address = new BookKeeperAddress(servers(), "orders", null);
            assertThat(PresentBookies.tooFew(address, Quorum.DEFAULT, session))
                    .isEqualTo(
                            "too few bookies are there for log orders (ensemble=3, write=3, ack=2): found 1, expected"
                                    + " at least 2, by the ZooKeeper at " + servers()
                                    + ": make room on the disks of bookie-1, bookie-2, which take no entries as long as they are"
                                    + " full, or start more");
        } finally {
            session.close();
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() {
        assertThatThrownBy(() -> LocalZooKeeper.start(directory.resolve("other"), zooKeeper.port()))
                .isInstanceOf(IOException.class)
                .hasMessage("port " + zooKeeper.port()
                        + " is in use: stop what listens there, or choose another with --port");
    }
}
