package io.plog.log.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.DurableLog;
import io.plog.log.LogOptions;
import io.plog.log.bookkeeper.local.LocalBookie;
import io.plog.log.bookkeeper.local.LocalZooKeeper;
import io.plog.log.storage.LogException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An older copy of ZooKeeper's data is put back, under real bookies that keep theirs. */
@Tag("slow")
@Timeout(300)
class OlderMetadataTest {
    @TempDir
    Path directory;

    private final List<AutoCloseable> running = new ArrayList<>();
    private int port;

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : running) {
            each.close();
        }
        running.clear();
    }

    private void restartWith(String data) throws Exception {
        stop();
        Files.createDirectories(directory.resolve(data));
        LocalZooKeeper zooKeeper = LocalZooKeeper.start(directory.resolve(data), port);
        port = zooKeeper.port();
        for (int i = 1; i <= 3; i++) {
            LocalBookie.forgetProcessBefore("plog-" + i, port); // its way to ZooKeeper may have been closed first
            Path own = Files.createDirectories(directory.resolve("bookie-" + i));
            running.add(LocalBookie.start(own, "plog-" + i, port));
        }
        running.add(zooKeeper);
    }

    private void copy(String data, String copy) throws IOException {
        try (Stream<Path> all = Files.walk(directory.resolve(data))) {
            for (Path each : all.toList()) {
                Files.copy(
                        each,
                        directory.resolve(copy).resolve(directory.resolve(data).relativize(each)));
            }
        }
    }

    private DurableLog open(String log) throws IOException {
        return DurableLog.open(URI.create("bookkeeper://127.0.0.1:" + port + "/" + log), LogOptions.in(Path.of(".")));
    }

    private long append(String log, int records) throws Exception {
        try (DurableLog opened = open(log)) {
            for (int i = 0; i < records; i++) {
                opened.appendAndWait(ByteBuffer.allocate(100));
            }
            return opened.durableIndex();
        }
    }

    @Test
    void theLogIsRefusedHoweverManyLedgersCameSinceAndIsThereWithTheLastData() throws Exception {
        restartWith("last");
        assertThat(append("orders", 10)).isEqualTo(10);
        stop();
        copy("last", "older");
        restartWith("last");
        try (DurableLog other = open("other")) {
            other.appendAndWait(ByteBuffer.allocate(100));
            for (int i = 0; i < 20; i++) {
                other.saveCheckpoint(1, ByteBuffer.allocate(100)); // a ledger, and the one before is deleted
            }
        }
        assertThat(append("orders", 5)).isEqualTo(15);

        restartWith("older");
        assertThatThrownBy(() -> open("orders"))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("expected change 2 of the log's list, which bookies have noted, found change 1");
        assertThatThrownBy(() -> open("other"))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("expected change 41 of the log's list, which bookies have noted, found no list");

        restartWith("last");
        assertThat(append("orders", 1)).isEqualTo(16);
        assertThat(append("other", 1)).isEqualTo(2);
    }
}
