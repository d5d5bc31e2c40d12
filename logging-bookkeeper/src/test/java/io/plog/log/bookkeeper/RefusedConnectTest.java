package io.plog.log.bookkeeper;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.bookkeeper.local.LocalZooKeeper;
import io.plog.log.storage.LogException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Collections;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RefusedConnectTest {
    @TempDir
    Path directory;

    @Test
    void aZooKeeperThatRefusesDoesNotCountAsSilent() throws Exception {
        try (LocalZooKeeper server = LocalZooKeeper.start(directory, 0)) {
            ZooKeeper person = new ZooKeeper("127.0.0.1:" + server.port(), 10_000, event -> {});
            person.setACL(
                    "/ledgers/LAYOUT",
                    Collections.singletonList(new ACL(ZooDefs.Perms.ADMIN, ZooDefs.Ids.ANYONE_ID_UNSAFE)),
                    -1);
            person.close();
            URI address = URI.create("bookkeeper://127.0.0.1:" + server.port() + "/r");
            assertThatThrownBy(() -> BookKeeperStore.connect(BookKeeperAddress.parse(address)))
                    .isInstanceOf(LogException.class)
                    .hasMessage("cannot use the ZooKeeper at 127.0.0.1:" + server.port()
                            + ": NOAUTH; is this program to have a password or certificate?");
        }
    }
}
