package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.Await;
import io.plog.e2e.support.BookieCluster;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.RawConnection;
import io.plog.e2e.support.TestServer;
import io.plog.protocol.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server on BookKeeper's bookies, each a process of its own. */
@Tag("slow")
@Timeout(300)
class ReplicatedServerTest {
    @TempDir
    Path scratch;

    private static int status(RawConnection client, int number) throws IOException {
        client.send(RawConnection.request(0, 7, number, new byte[] {1, 2, 3}));
        return client.read().status();
    }

    private static void insist(RawConnection client, int number) throws Exception {
        Await.until("request " + number + " is answered", () -> status(client, number) == Status.OK.code());
    }

    @Test
    void requestsGoOnWithoutABookieWaitForTheQuorumAndAreExecutedOnceAcrossATakeover() throws Exception {
        try (BookieCluster bookies = BookieCluster.start(scratch)) {
            List<String> pids = bookies.pids();
            String address = bookies.address("orders");
            try (TestServer server = TestServer.start(
                            BookieCluster.ENVIRONMENT, scratch, "--log r=%s,service=chain --admin-port free", address);
                    RawConnection client = RawConnection.welcomed(server.port)) {
                assertThat(server.process.errText()).contains("BookKeeper's own messages go to ", "force=quorum");
                for (int i = 1; i <= 100; i++) {
                    assertThat(status(client, i)).isEqualTo(Status.OK.code());
                }
                BookieCluster.signal("-STOP", pids.get(0));
                for (int i = 101; i <= 200; i++) {
                    assertThat(status(client, i)).as("request " + i).isEqualTo(Status.OK.code());
                }
                BookieCluster.signal("-STOP", pids.get(1));
                assertThat(status(client, 201)).isIn(Status.LOG_FAILED.code(), Status.NO_QUORUM.code());
                assertThat(status(client, 202)).isEqualTo(Status.NO_QUORUM.code());
                BookieCluster.signal("-CONT", pids.get(0));
                BookieCluster.signal("-CONT", pids.get(1));
                insist(client, 201);
                insist(client, 202);
                try (TestServer other = TestServer.start(
                        BookieCluster.ENVIRONMENT, scratch, "--log r=%s,service=chain --admin-port free", address)) {
                    assertThat(other.process.errText()).contains("202 records recovered (1 to 202)");
                    server.process.awaitErr(said -> said.contains("was taken over by another server"));
                    assertThat(status(client, 203)).isEqualTo(Status.NOT_SERVING.code());
                    assertThat(other.stop()).isZero();
                }
            } finally {
                for (String pid : pids) {
                    BookieCluster.signal("-CONT", pid); // or it would not end
                }
            }
        }
    }

    @Test
    void aServerWithoutItsMetadataServiceSaysSoInOneSentence() throws Exception {
        Plog server = Plog.start(
                BookieCluster.ENVIRONMENT, "server --port 0 --admin-port 0 --log r=bookkeeper://127.0.0.1:1/orders");
        assertThat(server.awaitExit()).isEqualTo(1);
        assertThat(server.err().get(server.err().size() - 1))
                .startsWith("plog server: no ZooKeeper answers at 127.0.0.1:1 within 10 s: start it");
        assertThat(server.errText()).doesNotContain("\tat ");
    }
}
