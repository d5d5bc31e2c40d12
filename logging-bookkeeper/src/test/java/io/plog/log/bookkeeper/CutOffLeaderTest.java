package io.plog.log.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.testing.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A holder and ZooKeeper's leader are cut off together from the other servers, which may elect another leader and let another holder in.
 * Three real servers; those that the leader does not reach any more are stopped.
 */
@Tag("slow")
@Timeout(120)
class CutOffLeaderTest {
    private static final String NODE = "/plog/cut";

    @TempDir
    Path directory;

    private final List<Process> servers = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger asked = new AtomicInteger();
    private final LogClock clock = new LogClock() {
        @Override
        public long nanos() {
            asked.incrementAndGet();
            return nanos.get();
        }

        @Override
        public long wallSeconds() {
            return 0;
        }
    };

    @BeforeEach
    void start() throws Exception {
        StringBuilder all = new StringBuilder();
        for (int i = 1; i <= 3; i++) {
            ports.add(freePort());
            all.append(
                    "server.%d=127.0.0.1:%d:%d;127.0.0.1:%d\n".formatted(i, freePort(), freePort(), ports.get(i - 1)));
        }
        for (int i = 1; i <= 3; i++) {
            Path own = Files.createDirectory(directory.resolve("zookeeper-" + i));
            Files.writeString(own.resolve("myid"), Integer.toString(i));
            // A leader without followers gives up after so many ticks: long enough for what is looked at here.
            Files.writeString(
                    own.resolve("zoo.cfg"),
                    "dataDir=%s\ntickTime=500\ninitLimit=60\nsyncLimit=60\nadmin.enableServer=false\n4lw.commands.whitelist=srvr\n%s"
                            .formatted(own, all));
            servers.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                            own.resolve("zoo.cfg").toString())
                    .redirectErrorStream(true)
                    .redirectOutput(own.resolve("out").toFile())
                    .start());
        }
    }

    @AfterEach
    void stop() {
        servers.forEach(Process::destroyForcibly);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private int leader() throws IOException {
        for (int i = 0; i < ports.size(); i++) {
            try (var socket = new java.net.Socket(InetAddress.getLoopbackAddress(), ports.get(i))) {
                socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
                String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                if (answer.contains("Mode: leader")) {
                    return i;
                }
            } catch (IOException e) {
                // it has not started yet
            }
        }
        return -1;
    }

    /** The others are there and hear nothing, as if the network were cut. */
    private void cutOff(int leader) throws Exception {
        for (int i = 0; i < servers.size(); i++) {
            if (i != leader) {
                String pid = Long.toString(servers.get(i).pid());
                assertThat(new ProcessBuilder("kill", "-STOP", pid).start().waitFor())
                        .isZero();
            }
        }
    }

    @Test
    void aLeaderThatWasCutOffProvesNothing() throws Exception {
        Await.until(() -> leader() >= 0);
        int leader = leader();
        BookKeeperAddress address =
                BookKeeperAddress.parse(java.net.URI.create("bookkeeper://127.0.0.1:" + ports.get(leader) + "/cut"));
        ZooKeeperSession session = ZooKeeperSession.connect(address.servers());
        ZooKeeper other = new ZooKeeper(address.servers(), ZooKeeperSession.MILLIS, event -> {});
        try (QueuePlace place =
                new ZooKeeperElection(address, Duration.ofSeconds(30), clock).join("self", Duration.ofSeconds(4))) {
            ZooKeeperNode node = new ZooKeeperNode(session, address);
            node.create("content");
            assertThat(node.read()).isEqualTo(new LedgerStore.Node("content", 0));
            assertThat(place.awaitTurn(Duration.ofSeconds(30))).isTrue();
            assertThat(place.isSurelyFirst()).isTrue();

            cutOff(leader);
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(4));
            assertThat(place.isSurelyFirst()).isFalse();
            int before = asked.get();
            CompletableFuture<Void> read = CompletableFuture.runAsync(() -> {
                try {
                    node.read();
                } catch (IOException e) {
                    // no proof either
                }
            });
            Await.until(() -> asked.get() > before); // the holder has begun to look again
            for (int i = 0; i < 50; i++) {
                answersAsEver(other);
            }
            assertThat(read).isNotDone();
            assertThat(place.isSurelyFirst()).isFalse();
            servers.forEach(Process::destroyForcibly);
        } finally {
            other.close();
            session.close();
        }
    }

    /** To whoever asks it for nothing that takes a majority. */
    private static void answersAsEver(ZooKeeper leader) throws KeeperException, InterruptedException {
        leader.sync(NODE);
        assertThat(leader.getData(NODE, false, null)).isNotEmpty();
    }
}
