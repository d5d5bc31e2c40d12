package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.Await;
import io.plog.e2e.support.BookieCluster;
import io.plog.e2e.support.ChainClients;
import io.plog.e2e.support.RawConnection;
import io.plog.e2e.support.TestServer;
import io.plog.protocol.Status;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two servers with {@code --standby} on real bookies, clients that know both, and whatever happens to the one that serves. */
@Tag("slow")
@Timeout(300)
class TakeoverTest {
    private static final int CLIENTS = 4;
    private static final int SOME = 300;

    @TempDir
    Path scratch;

    private TestServer standby(String address) throws Exception {
        return TestServer.start(
                BookieCluster.ENVIRONMENT, scratch, "--standby --log r=%s,service=chain --admin-port free", address);
    }

    private static void awaitServing(TestServer server) throws Exception {
        System.out.println(server.process.awaitErr(line -> line.contains("target r serves the log")));
    }

    private static void awaitWaiting(TestServer server, TestServer holder) throws Exception {
        server.process.awaitErr(line -> line.contains("target r is a standby: " + holder.address() + " holds the log"));
    }

    @Test
    void noRequestIsLostOrRepeatedWhenTheHolderIsKilledOrStopsOrEndsInOrder() throws Exception {
        try (BookieCluster bookies = BookieCluster.start(scratch);
                TestServer killed = standby(bookies.address("orders"))) {
            awaitServing(killed);
            try (TestServer stopped = standby(bookies.address("orders"))) {
                awaitWaiting(stopped, killed);
                try (TestServer last = standby(bookies.address("orders"));
                        ChainClients clients = ChainClients.start(CLIENTS, killed, stopped, last)) {
                    awaitWaiting(last, killed);
                    clients.awaitMore(SOME);

                    killed.process.kill();
                    awaitServing(stopped);
                    clients.awaitMore(SOME);
                    System.out.println("killed: no answer for " + clients.longestGap());

                    stopAndWake(stopped, last, clients);

                    last.stop();
                    awaitServingAgain(stopped);
                    clients.awaitMore(SOME);
                    System.out.println(clients.endAndCheck() + " requests, each executed once and in order");
                    assertThat(stopped.stop()).isZero();
                }
            }
        }
    }

    @Test
    void aStandbyThatStartsBeforeItsMetadataServiceSaysSoAndGoesOn() throws Exception {
        try (TestServer server = standby("bookkeeper://127.0.0.1:1/orders")) {
            Await.until(
                    "it says what it waits for",
                    () -> server.process
                            .errText()
                            .contains(
                                    "target r: this standby cannot wait for its log (no ZooKeeper answers at 127.0.0.1:1"
                                            + " within 10 s: start it"));
            assertThat(server.stop()).isZero();
            assertThat(server.process.errText()).doesNotContain("\tat ");
        }
    }

    /** The classic split brain: the holder sleeps for longer than its session, and then wakes up. */
    private static void stopAndWake(TestServer stopped, TestServer next, ChainClients clients) throws Exception {
        String pid = Long.toString(stopped.process.pid());
        try (RawConnection connection = RawConnection.welcomed(stopped.port)) {
            BookieCluster.stop(pid);
            connection.send(RawConnection.request(0, 7, 1, new byte[] {1, 2, 3})); // the kernel takes it
            awaitServing(next);
            clients.awaitMore(SOME);
            BookieCluster.signal("-CONT", pid);
            assertThat(connection.read().status())
                    .as("the old holder acknowledges nothing")
                    .isIn(Status.NOT_SERVING.code(), Status.LOG_FAILED.code());
            awaitWaiting(stopped, next);
            connection.send(RawConnection.request(0, 7, 2, new byte[] {1}));
            assertThat(connection.read().status()).isEqualTo(Status.NOT_SERVING.code());
            clients.awaitMore(SOME);
        } finally {
            BookieCluster.signal("-CONT", pid); // or it would not end
        }
    }

    private static void awaitServingAgain(TestServer server) throws Exception {
        Await.until(
                "it serves again",
                () -> server.process.err().stream()
                                .filter(line -> line.contains("target r serves the log"))
                                .count()
                        == 2);
    }
}
