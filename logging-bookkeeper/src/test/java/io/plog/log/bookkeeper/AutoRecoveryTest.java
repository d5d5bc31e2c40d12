package io.plog.log.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.DurableLog;
import io.plog.log.LogFailedException;
import io.plog.log.LogOptions;
import io.plog.log.LogReader;
import io.plog.log.bookkeeper.local.LocalBookie;
import io.plog.log.bookkeeper.local.LocalZooKeeper;
import io.plog.log.storage.LogLockedException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.replication.AutoRecoveryMain;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * BookKeeper's own auto-recovery fences a log whose ledger has lost a bookie, and no server needs that log. Real bookies, in this
 * process.
 */
@Tag("slow")
@Timeout(120)
class AutoRecoveryTest {
    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init")
    private LocalZooKeeper zooKeeper;

    @SuppressWarnings("NullAway.Init")
    private AutoRecoveryMain autoRecovery;

    private final List<LocalBookie> bookies = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        zooKeeper = LocalZooKeeper.start(Files.createDirectory(directory.resolve("zookeeper")), 0);
        for (int i = 1; i <= 3; i++) {
            Path own = Files.createDirectory(directory.resolve("bookie-" + i));
            bookies.add(LocalBookie.start(own, "plog-" + i, zooKeeper.port()));
        }
        ServerConfiguration settings = new ServerConfiguration();
        settings.setMetadataServiceUri("zk+hierarchical://127.0.0.1:" + zooKeeper.port() + "/ledgers");
        settings.setBookieId("auto-recovery");
        settings.setAllowLoopback(true);
        settings.setLostBookieRecoveryDelay(0);
        settings.setOpenLedgerRereplicationGracePeriod("0");
        autoRecovery = new AutoRecoveryMain(settings);
        autoRecovery.start();
    }

    @AfterEach
    void stop() {
        autoRecovery.shutdown();
        bookies.forEach(LocalBookie::close);
        zooKeeper.close();
    }

    private ReplicatedLog open() throws IOException {
        return (ReplicatedLog) DurableLog.open(
                URI.create("bookkeeper://127.0.0.1:" + zooKeeper.port() + "/recovered"), LogOptions.in(Path.of(".")));
    }

    @Test
    void aLogThatAutoRecoveryFencedGoesOnWithAllThatWasAcknowledgedWhenItIsOpenedAgain() throws Exception {
        ReplicatedLog fenced = open();
        fenced.appendAndWait(ByteBuffer.allocate(100));
        bookies.remove(0).close();
        while (fenced.failure() == null) { // no thread calls checkHeld, so the log stays where it is
            try {
                fenced.appendAndWait(ByteBuffer.allocate(100));
            } catch (LogFailedException e) {
                assertThat(e.reason()).isEqualTo(LogFailedException.Reason.FENCED);
            }
        }
        long acknowledged = fenced.durableIndex();
        fenced.checkHeld(); // no other server has it
        assertThatThrownBy(fenced::close).isInstanceOf(LogFailedException.class);
        try (ReplicatedLog log = open()) {
            long next = log.appendAndWait(ByteBuffer.allocate(100));
            assertThat(next).isGreaterThan(acknowledged);
            try (LogReader reader = log.read(1)) {
                for (long index = 1; index <= next; index++) {
                    assertThat(reader.next()).as("record " + index).isTrue();
                }
            }
        }
    }

    @Test
    void anIdleLogLearnsOfTheFenceAndAnotherWriterKeepsWhatItTook() throws Exception {
        ReplicatedLog log = open();
        log.appendAndWait(ByteBuffer.allocate(100));
        try (ReplicatedLog other = open()) {
            log.checkHeld();
            assertThat(log.failure()).isNotNull();
            assertThatThrownBy(log::checkHeld).isInstanceOf(LogLockedException.class);
            assertThat(other.appendAndWait(ByteBuffer.allocate(100))).isEqualTo(2);
        } finally {
            assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
        }
    }
}
