package io.plog.log.bookkeeper.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalBookieTest {
    @TempDir
    Path directory;

    @Test
    void aBookieThatStartsAgainDoesNotWaitForTheSessionOfTheProcessBefore() throws Exception {
        try (LocalZooKeeper server = LocalZooKeeper.start(directory, 0)) {
            ZooKeeper before = new ZooKeeper("127.0.0.1:" + server.port(), 10_000, event -> {});
            String node = "/ledgers/available/b";
            before.create(node, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
            LocalBookie.forgetProcessBefore("b", server.port());
            assertThat(before.exists(node, false)).isNull();
            LocalBookie.forgetProcessBefore("b", server.port()); // there is nothing to forget
            before.close();
        }
    }
}
