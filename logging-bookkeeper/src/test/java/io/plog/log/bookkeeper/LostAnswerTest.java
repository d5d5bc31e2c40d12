package io.plog.log.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.LogFailedException;
import io.plog.log.LogReader;
import io.plog.log.spi.StoredRepair;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogLockedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a log does when a real ZooKeeper's answers are lost, and when somebody changes its node; the bookies are simulated. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(60)
class LostAnswerTest {
    private static final String NODE = "/plog/r";

    @TempDir
    Path directory;

    private final SimulatedCluster cluster = new SimulatedCluster(4, new SplittableRandom(3));
    private final List<ZooKeeperSession> sessions = new ArrayList<>();

    @SuppressWarnings("NullAway.Init")
    private TestZooKeeper zooKeeper;

    @SuppressWarnings("NullAway.Init")
    private LosingProxy proxy;

    @SuppressWarnings("NullAway.Init")
    private NodeStore store; // of the log that was opened last

    @BeforeEach
    void start() throws Exception {
        zooKeeper = TestZooKeeper.start(directory);
        proxy = new LosingProxy(zooKeeper.port());
    }

    @AfterEach
    void stop() throws Exception {
        for (ZooKeeperSession each : sessions) {
            each.close();
        }
        proxy.close();
        zooKeeper.close();
    }

    private ReplicatedLog open() throws IOException {
        NodeStore own = newStore();
        store = own;
        return ReplicatedLog.open("r", own, null, TakeoverTest.options(), own::execute, cluster.clock());
    }

    private NodeStore newStore() throws IOException {
        try {
            ZooKeeperSession session = ZooKeeperSession.connect("127.0.0.1:" + proxy.port());
            sessions.add(session);
            return new NodeStore(cluster, new ZooKeeperNode(session, zooKeeper.address("r")), session);
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private void append(ReplicatedLog log, int value) {
        TakeoverTest.append(cluster, log, value);
    }

    /** Another server finds all of it, and nothing is left that is in no list. */
    private void assertHealthy(int records) throws IOException {
        ReplicatedLog next = open();
        assertThat(next.durableIndex()).isEqualTo(records);
        try (LogReader reader = next.read(1)) {
            for (int i = 1; i <= records; i++) {
                assertThat(reader.next()).isTrue();
                assertThat(reader.payload().getInt(0)).isEqualTo(i);
            }
        }
        append(next, records + 1);
        LedgerList list =
                LedgerList.decode("r", Objects.requireNonNull(store.readNode()).content());
        assertThat(cluster.ledgers.keySet()).allMatch(list::names);
    }

    @ParameterizedTest
    @EnumSource
    void aLogIsCreatedThough(LosingProxy.Part part) throws Exception {
        proxy.lose(LosingProxy.CREATE, NODE, part);
        append(open(), 1);
        assertThat(proxy.lost()).isEqualTo(1);
        assertHealthy(1);
    }

    @ParameterizedTest
    @EnumSource
    void aLogIsTakenOverThough(LosingProxy.Part part) throws Exception {
        append(open(), 1);
        proxy.lose(LosingProxy.SET_DATA, NODE, part);
        append(open(), 2);
        assertThat(proxy.lost()).isEqualTo(1);
        assertHealthy(2);
    }

    @ParameterizedTest
    @EnumSource
    void aServerGoesOnToAnotherLedgerThough(LosingProxy.Part part) throws Exception {
        cluster.crash(0);
        cluster.crash(1);
        ReplicatedLog log = open();
        append(log, 1);
        long first = log.currentLedger();
        cluster.bookies.get(1).restart();
        log.checkHeld(); // it leaves its ledger for one on more bookies
        proxy.lose(LosingProxy.SET_DATA, NODE, part);
        CompletableFuture<Long> second = log.append(TakeoverTest.record(2));
        assertThat(store.runTask()).isTrue();
        cluster.settle();
        assertThat(second).isCompletedWithValue(2L);
        assertThat(log.currentLedger()).isNotEqualTo(first);
        log.checkHeld();
        assertThat(log.failure()).isNull();
        assertThat(proxy.lost()).isEqualTo(1);
        assertHealthy(2);
    }

    @ParameterizedTest
    @EnumSource
    void aCheckpointIsSavedAndAPrefixDroppedThough(LosingProxy.Part part) throws Exception {
        ReplicatedLog log = open();
        append(log, 1);
        store.waitForEntries(true);
        proxy.lose(LosingProxy.SET_DATA, NODE, part);
        proxy.lose(LosingProxy.SET_DATA, NODE, part);
        log.saveCheckpoint(1, TakeoverTest.record(7)); // changes the list twice
        proxy.lose(LosingProxy.SET_DATA, NODE, part);
        log.truncateBefore(2);
        store.waitForEntries(false);
        assertThat(proxy.lost()).isEqualTo(3);
        append(log, 2);
        assertHealthy(2);
        assertThat(open().checkpoint().orElseThrow().state()).isEqualTo(TakeoverTest.record(7));
    }

    @Test
    void aServerWhoseAnswerIsLostWhileAnotherTakesOverDeletesNothingThatTheListNames() throws Exception {
        append(open(), 1);
        NodeStore lateStore = newStore();
        proxy.lose(LosingProxy.SET_DATA, NODE, LosingProxy.Part.ANSWER, () -> append(openUnchecked(), 2));
        assertThatThrownBy(() -> ReplicatedLog.open(
                        "r", lateStore, null, TakeoverTest.options(), lateStore::execute, cluster.clock()))
                .isInstanceOf(LogLockedException.class)
                .hasMessageContaining("another server opened log r at the same time");
        assertThat(proxy.lost()).isEqualTo(1);
        assertThat(cluster.ledgers).as("the first, its own, and the other's").hasSize(3);
        assertHealthy(2);
    }

    private ReplicatedLog openUnchecked() {
        try {
            return open();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    // ---- Repair ----

    @Test
    void aLogWhoseEmptyLastLedgerIsGoneGoesOnWithAnotherInItsPlace() throws Exception {
        append(open(), 1);
        ReplicatedLog log = open();
        assertThat(LedgerRepair.plan("r", newStore(), cluster.clock())).isEmpty();
        long gone = log.currentLedger();
        cluster.deleteLedger(gone);
        assertThatThrownBy(this::open)
                .isInstanceOf(LogDamagedException.class)
                .hasMessageContaining("ledger " + gone + ", offset 0: expected the last ledger of log r");
        assertThatThrownBy(() -> StoredReplicatedLog.open("r", "here", newStore(), null))
                .hasMessageContaining("see what plog log repair says");
        try (StoredRepair repair =
                LedgerRepair.plan("r", newStore(), cluster.clock()).orElseThrow()) {
            assertThat(repair.replaces()).isEqualTo(Long.toString(gone));
            repair.carryOut();
        }
        assertHealthy(1);
    }

    @Test
    void aLastLedgerThatHeldRecordsIsNotReplaced() throws Exception {
        ReplicatedLog log = open();
        append(log, 1);
        cluster.ledgers.remove(log.currentLedger()); // and the bookies have not noticed yet
        String before = Objects.requireNonNull(store.readNode()).content();
        assertThatThrownBy(() -> LedgerRepair.plan("r", newStore(), cluster.clock()))
                .isInstanceOf(LogDamagedException.class)
                .hasMessageContaining("Bookies have entries of it: [bookie ");
        assertThat(Objects.requireNonNull(store.readNode()).content()).isEqualTo(before);
    }

    // ---- Somebody changes the node ----

    @Test
    void aNodeThatSomebodyDeletedIsNotAnotherServer() throws Exception {
        ReplicatedLog log = open();
        append(log, 1);
        zooKeeper.deleteNode(NODE);
        log.checkHeld();
        LogFailedException failed = log.failure();
        assertThat(failed).isNotNull().hasMessageContaining("no node: somebody deleted it");
        assertThat(failed.reason()).isEqualTo(LogFailedException.Reason.ERROR);
        assertThat(failed.getCause()).isInstanceOf(LogDamagedException.class);
    }

    @Test
    void aLogWhoseNodeWasDeletedIsNoNewLog() throws Exception {
        ReplicatedLog log = open();
        append(log, 1);
        long ledger = log.currentLedger();
        LedgerStore.Node node = Objects.requireNonNull(store.readNode());
        zooKeeper.deleteNode(NODE);
        assertThatThrownBy(this::open)
                .hasMessageContaining("log r is no new log: ZooKeeper has no node /plog/r, and there are ledgers with"
                        + " entries of that name ([" + ledger + "])");
        assertThat(store.readNode()).isNull();
        zooKeeper.makeNode(NODE, node.content(), CreateMode.PERSISTENT);
        assertHealthy(1);
    }

    @Test
    void aNodeThatSomebodyReplacedIsNotAnotherServer() throws Exception {
        ReplicatedLog log = open();
        append(log, 1);
        LedgerStore.Node node = Objects.requireNonNull(store.readNode());
        zooKeeper.setNode(NODE, node.content());
        log.checkHeld(); // it says what it said
        store.waitForEntries(true);
        log.saveCheckpoint(1, TakeoverTest.record(7));
        assertThat(log.failure()).isNull();
        zooKeeper.setNode(NODE, node.content());
        log.checkHeld();
        assertThat(Objects.requireNonNull(log.failure()).reason()).isEqualTo(LogFailedException.Reason.ERROR);
        assertThat(log.failure())
                .hasMessageContaining("expected the list as this server wrote it")
                .hasMessageContaining("No other server has taken the log over");
    }

    @Test
    void anOldCopyOfTheNodeIsRefusedAndNothingIsDeleted() throws Exception {
        append(open(), 1);
        String old = Objects.requireNonNull(store.readNode()).content();
        ReplicatedLog log = open();
        append(log, 2);
        String last = Objects.requireNonNull(store.readNode()).content();
        zooKeeper.setNode(NODE, old);
        assertThatThrownBy(this::open)
                .hasMessageContaining("expected change 2 of the log's list, which bookies have noted, found change 1");
        cluster.bookies.forEach(bookie -> bookie.delete(SimulatedCluster.NOTES)); // all have lost their disks
        assertThatThrownBy(this::open)
                .hasMessageContaining("is not its last one: ledger " + log.currentLedger()
                        + " holds 1 entries of this log, and the list does not name it");
        zooKeeper.setNode(NODE, last);
        assertHealthy(2);
    }

    @Test
    void whatACreationThatDiedLeftIsDeleted() throws Exception {
        NodeStore dying = newStore();
        dying.killAt(5); // behind the ledger
        assertThatThrownBy(() ->
                        ReplicatedLog.open("r", dying, null, TakeoverTest.options(), dying::execute, cluster.clock()))
                .isInstanceOf(SimulatedStore.Killed.class);
        assertThat(cluster.ledgers).hasSize(1);
        append(open(), 1);
        assertThat(cluster.ledgers).hasSize(1);
    }

    @Test
    void whatATakeoverThatDiedLeftIsDeleted() throws Exception {
        append(open(), 1);
        cluster.createLedger(Quorum.DEFAULT); // and nothing more
        open();
        assertThat(cluster.ledgers).hasSize(2);
    }
}
