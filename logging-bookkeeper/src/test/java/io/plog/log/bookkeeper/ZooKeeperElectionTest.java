package io.plog.log.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.spi.DurableLogProvider;
import io.plog.log.storage.LogException;
import io.plog.log.testing.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who waits for a log, and whose turn it is, with a real ZooKeeper. */
@Timeout(60)
class ZooKeeperElectionTest {
    private static final Duration NOTICE = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration LONG = Duration.ofSeconds(50);

    @TempDir
    private static Path directory;

    @SuppressWarnings("NullAway.Init")
    private static TestZooKeeper zooKeeper;

    private final List<QueuePlace> places = new ArrayList<>();
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE); // it may overflow
    private final LogClock clock = new LogClock() {
        @Override
        public long nanos() {
            return nanos.get();
        }

        @Override
        public long wallSeconds() {
            return 0;
        }
    };
    private String log = "";

    @BeforeAll
    static void start() throws Exception {
        zooKeeper = TestZooKeeper.start(directory);
    }

    @AfterAll
    static void stop() {
        zooKeeper.close();
    }

    @BeforeEach
    void nameLog(TestInfo test) {
        log = test.getTestMethod().orElseThrow().getName();
    }

    @AfterEach
    void leave() {
        places.forEach(QueuePlace::close);
    }

    private QueuePlace join(String self) throws IOException {
        return join(log, self);
    }

    private QueuePlace join(String of, String self) throws IOException {
        QueuePlace place = new ZooKeeperElection(zooKeeper.address(of), PATIENCE, clock).join(self, NOTICE);
        places.add(place);
        return place;
    }

    private void makeNode(String name, String content, CreateMode mode) throws Exception {
        zooKeeper.makeNode(ZooKeeperElection.ROOT + "/" + log + "/" + name, content, mode);
    }

    private static boolean isItsTurn(QueuePlace place) throws Exception {
        return place.awaitTurn(Duration.ZERO);
    }

    private static void awaitTurn(QueuePlace place) throws Exception {
        assertThat(place.awaitTurn(LONG)).isTrue();
    }

    private static void awaitHolder(QueuePlace place, String holder) throws Exception {
        Await.until(() -> place.holder().equals(holder));
    }

    @Test
    void theFirstHasItsTurnAtOnceAndTheOthersInTheOrderInWhichTheyJoined() throws Exception {
        QueuePlace a = join("a");
        QueuePlace b = join("b");
        QueuePlace c = join("c");
        assertThat(isItsTurn(a)).isTrue();
        assertThat(isItsTurn(b)).isFalse();
        assertThat(isItsTurn(c)).isFalse();
        a.close();
        awaitTurn(b);
        assertThat(isItsTurn(c)).isFalse();
        b.close();
        awaitTurn(c);
    }

    @Test
    void aWaitingServerKnowsTheHolderOfTheLog() throws Exception {
        QueuePlace a = join("host-a:7411 chain");
        assertThat(a.holder()).isEqualTo("host-a:7411 chain");
        QueuePlace b = join("host-b:7411 chain");
        QueuePlace c = join("host-c:7411 chain");
        assertThat(c.holder()).isEqualTo("host-a:7411 chain");
        a.close();
        awaitTurn(b);
        awaitHolder(c, "host-b:7411 chain");
    }

    @Test
    void theEndOfOneThatWaitsIsNoTurnForTheOneBehind() throws Exception {
        QueuePlace a = join("a");
        QueuePlace b = join("b");
        QueuePlace c = join("c");
        b.close();
        a.close();
        awaitTurn(c);
        QueuePlace d = join("d");
        QueuePlace e = join("e");
        d.close();
        Await.until(() -> zooKeeper.watches() == 1); // e watches c
        assertThat(isItsTurn(e)).isFalse();
    }

    @Test
    void eachWatchesOnlyTheOneBeforeIt() throws Exception {
        for (int i = 0; i < 5; i++) {
            join("server " + i);
        }
        assertThat(zooKeeper.watches()).isEqualTo(4);
    }

    @Test
    void aHolderWhoseSessionExpiresIsFollowedByTheNextAndJoinsAgain() throws Exception {
        QueuePlace a = join("a");
        QueuePlace b = join("b");
        zooKeeper.expire(a.sessionId());
        awaitTurn(b);
        awaitHolder(a, "b");
        assertThat(isItsTurn(a)).isFalse();
        b.close();
        awaitTurn(a);
    }

    @Test
    void aServerWhoseSessionExpiresWhileItWaitsJoinsAgain() throws Exception {
        QueuePlace a = join("a");
        QueuePlace b = join("b");
        long before = b.sessionId();
        zooKeeper.expire(before);
        Await.until(() -> b.sessionId() != before && b.sessionId() != 0);
        awaitHolder(b, "a");
        assertThat(isItsTurn(b)).isFalse();
        a.close();
        awaitTurn(b);
    }

    @Test
    void aNodeThatSomebodyRemovesIsMadeAgain() throws Exception {
        QueuePlace a = join("a");
        QueuePlace b = join("b");
        zooKeeper.deleteFirst(ZooKeeperElection.ROOT + "/" + log);
        awaitTurn(b);
        awaitHolder(a, "b");
        b.close();
        awaitTurn(a);
    }

    @Test
    void placesOutliveARestartOfZooKeeper() throws Exception {
        QueuePlace a = join("a");
        QueuePlace b = join("b");
        zooKeeper.restart();
        QueuePlace c = join("c");
        assertThat(isItsTurn(a)).isTrue();
        assertThat(isItsTurn(b)).isFalse();
        assertThat(isItsTurn(c)).isFalse();
        zooKeeper.expire(a.sessionId());
        awaitTurn(b);
    }

    @Test
    void logsHaveQueuesOfTheirOwn() throws Exception {
        assertThat(isItsTurn(join(log + "-1", "a"))).isTrue();
        assertThat(isItsTurn(join(log + "-2", "b"))).isTrue();
    }

    @Test
    void aWaitingServerLearnsWhenThePlaceIsGivenUp() throws Exception {
        join("a");
        QueuePlace b = join("b");
        FutureTask<Boolean> waiting = new FutureTask<>(() -> b.awaitTurn(LONG));
        Thread thread = new Thread(waiting);
        thread.start();
        b.close();
        b.close();
        assertThatThrownBy(waiting::get)
                .hasRootCauseInstanceOf(IOException.class)
                .hasMessageContaining("the place in the queue for log " + log + " was given up");
    }

    @Test
    void anInterruptEndsTheWaitAndNotThePlace() throws Exception {
        QueuePlace a = join("a");
        QueuePlace b = join("b");
        FutureTask<Boolean> waiting = new FutureTask<>(() -> b.awaitTurn(LONG));
        Thread thread = new Thread(waiting);
        thread.start();
        thread.interrupt();
        assertThatThrownBy(waiting::get).hasRootCauseInstanceOf(InterruptedException.class);
        a.close();
        awaitTurn(b);
    }

    @Test
    void theTimeWithoutASignOfLifeIsWhatZooKeeperAgreesTo() throws Exception {
        assertThat(join("a").notice()).isEqualTo(NOTICE);
        QueuePlace hasty = new ZooKeeperElection(zooKeeper.address(log)).join("hasty", Duration.ofMillis(400));
        places.add(hasty);
        assertThat(hasty.notice()).as("two of its ticks").isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aHolderThatHearsNothingIsSureOfItsTurnForLessThanTheTimeOfItsSession() throws Exception {
        QueuePlace a = join("a");
        QueuePlace b = join("b");
        assertThat(a.isSurelyFirst()).isTrue();
        assertThat(b.isSurelyFirst()).isFalse();
        zooKeeper.stop();
        nanos.addAndGet(NOTICE.toNanos() / 4 * 3 - 1);
        assertThat(a.isSurelyFirst()).isTrue();
        nanos.incrementAndGet();
        assertThat(a.isSurelyFirst()).isFalse();
        zooKeeper.restart();
        Await.until(a::isSurelyFirst); // it has looked again
        a.close();
        assertThat(a.isSurelyFirst()).isFalse();
        awaitTurn(b);
        assertThat(b.isSurelyFirst()).isTrue();
    }

    @Test
    void whatNoServerMadeIsNotWaitedFor() throws Exception {
        zooKeeper.makeNode(ZooKeeperElection.ROOT, "", CreateMode.PERSISTENT);
        zooKeeper.makeNode(ZooKeeperElection.ROOT + "/" + log, "", CreateMode.PERSISTENT);
        // The lowest name that a server's node may have, but it would never go.
        makeNode("00000000-0000-0000-0000-000000000000-0000000000", "b:1 chain", CreateMode.PERSISTENT);
        makeNode("00000000000", "b:1 chain", CreateMode.EPHEMERAL);
        makeNode("note-9999999999", "b:1 chain", CreateMode.EPHEMERAL);
        QueuePlace a = join("a");
        assertThat(isItsTurn(a)).isTrue();
        assertThat(a.holder()).isEqualTo("a");
        assertThat(a.isWaitedFor()).isFalse();
    }

    @Test
    void aHoldersTextIsOneCleanLineOfBoundedLengthWhateverItWrote() throws Exception {
        QueuePlace a = join("a:1 chain\u001b[2J\r\nready\u202e" + "x".repeat(1_000));
        assertThat(a.holder()).startsWith("a:1 chain?[2J??ready?xxx").hasSize(200);
    }

    @Test
    void withoutAZooKeeperJoiningSaysSoInOneSentence() throws Exception {
        int unused;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            unused = socket.getLocalPort();
        }
        BookKeeperAddress address = BookKeeperAddress.parse(URI.create("bookkeeper://127.0.0.1:" + unused + "/r"));
        ZooKeeperElection election = new ZooKeeperElection(address, Duration.ofSeconds(1), LogClock.SYSTEM);
        assertThatThrownBy(() -> election.join("a", NOTICE))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("no ZooKeeper answers at 127.0.0.1:" + unused + " within 1 s: start it");
    }

    @Test
    void theQueueIsFoundByTheAddressOfTheLog() throws Exception {
        URI address = zooKeeper.uri(log);
        try (var place = DurableLogProvider.of(address).election(address).join("a", NOTICE)) {
            assertThat(place.awaitTurn(Duration.ZERO)).isTrue();
        }
    }
}
