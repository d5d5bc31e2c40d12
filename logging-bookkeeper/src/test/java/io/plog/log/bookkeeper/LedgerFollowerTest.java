package io.plog.log.bookkeeper;

import static io.plog.log.bookkeeper.TakeoverTest.indexes;
import static io.plog.log.bookkeeper.TakeoverTest.options;
import static io.plog.log.bookkeeper.TakeoverTest.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.spi.LogFollower;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Following a log that another server writes: how far, and when what was read is of no more use. */
class LedgerFollowerTest {
    private final SimulatedCluster cluster = new SimulatedCluster(4, new SplittableRandom(3));
    private final LedgerFollower follower = new LedgerFollower("r", () -> new SimulatedStore(cluster));
    private SimulatedStore writer = new SimulatedStore(cluster);

    private ReplicatedLog open() throws IOException {
        writer = new SimulatedStore(cluster);
        return ReplicatedLog.open("r", writer, null, options(), writer::execute, cluster.clock());
    }

    private List<Long> read(long from) throws IOException {
        return TakeoverTest.indexes(follower.read(from));
    }

    private void append(ReplicatedLog log, int from, int to) {
        for (int value = from; value <= to; value++) {
            TakeoverTest.append(cluster, log, value);
        }
    }

    private void appendLarge(ReplicatedLog log, int value) {
        CompletableFuture<Long> future = log.append(ByteBuffer.allocate(5_000).putInt(0, value));
        do {
            cluster.settle();
        } while (writer.runTask());
        assertThat(future).isCompletedWithValue((long) value);
    }

    @Test
    void onlyWhatIsKnownToBeAcknowledgedIsFollowedAndTheWriterDoesNotNotice() throws Exception {
        ReplicatedLog log = open();
        append(log, 1, 3);
        LedgerStore.Node before = Objects.requireNonNull(cluster.node());
        follower.begin();
        assertThat(read(1)).as("the last entry names those before it").containsExactly(1L, 2L);
        log.append(record(4)); // its entry names record 3; it is nowhere yet
        assertThat(read(3)).isEmpty();
        cluster.settle();
        assertThat(read(3)).containsExactly(3L);
        assertThat(cluster.node()).isEqualTo(before);
        append(log, 5, 6);
        log.close();
        assertThat(read(4)).as("of a ledger that was closed in order").containsExactly(4L, 5L, 6L);
    }

    @Test
    void itGoesOnThroughChangesOfLedgerTakeoversAndLostConnections() throws Exception {
        ReplicatedLog log = open();
        follower.begin();
        for (int value = 1; value <= 40; value++) {
            appendLarge(log, value);
        }
        assertThat(log.segmentFirstIndexes()).hasSizeGreaterThan(2);
        assertThat(read(1)).containsExactly(indexes(1, 39));
        follower.close();
        ReplicatedLog next = open();
        appendLarge(next, 41);
        appendLarge(next, 42);
        assertThat(read(40)).containsExactly(40L, 41L);
        assertThat(follower.isBeginningOf(next, 41)).isTrue();
        assertThat(follower.isBeginningOf(open(), 41)).isTrue();
        assertThat(follower.isBeginningOf(open(), 43)).as("more than there is").isFalse();
    }

    @Test
    void whenRecordsThatItHasNotReadAreDroppedItBeginsFromTheCheckpoint() throws Exception {
        assertThatThrownBy(follower::begin).isInstanceOf(LogFollower.StartAnewException.class);
        ReplicatedLog log = open();
        append(log, 1, 3);
        follower.begin();
        assertThat(read(1)).containsExactly(1L, 2L);
        ReplicatedLog next = open();
        append(next, 4, 5);
        writer.waitForEntries(true);
        next.saveCheckpoint(4, record(77));
        next.truncateBefore(5);
        assertThat(next.firstIndex()).isEqualTo(4);
        assertThat(follower.isBeginningOf(next, 2)).isFalse();
        assertThatThrownBy(() -> read(3)).isInstanceOf(LogFollower.StartAnewException.class);
        LogFollower.Beginning beginning = follower.begin();
        assertThat(beginning.checkpoint().orElseThrow().index()).isEqualTo(4);
        assertThat(beginning.checkpoint().orElseThrow().state()).isEqualTo(record(77));
        assertThat(read(5)).isEmpty();
        writer.waitForEntries(false);
        append(next, 6, 6);
        assertThat(read(5)).containsExactly(5L);
        assertThat(follower.checkpointIndex()).isEqualTo(4);
    }

    /** Bookies that come back without what they acknowledged: replication.md says that this may cost records. */
    @Test
    void whatARecoveryLostAllTheSameIsNotTakenForTheBeginning() throws Exception {
        ReplicatedLog log = open();
        append(log, 1, 5);
        follower.begin();
        assertThat(read(1)).containsExactly(indexes(1, 4));
        long ledger = log.currentLedger();
        writer.kill();
        cluster.bookies.forEach(bookie -> bookie.delete(ledger));
        ReplicatedLog next = open();
        assertThat(next.durableIndex()).isZero();
        append(next, 1, 7);
        assertThat(follower.isBeginningOf(next, 4)).isFalse();
        assertThatThrownBy(() -> read(5)).isInstanceOf(LogFollower.StartAnewException.class);
    }

    @Test
    void anotherLogOfTheSameNameIsNotTakenForIt() throws Exception {
        ReplicatedLog log = open();
        append(log, 1, 5);
        follower.begin();
        assertThat(read(1)).containsExactly(indexes(1, 4));
        LedgerList list = log.list();
        LedgerList other = new LedgerList(
                UUID.randomUUID(),
                list.writer(),
                list.changes(),
                list.quorum(),
                list.ledgers(),
                null,
                list.garbage(),
                list.fenced());
        cluster.replaceNode(other.encode(), -1);
        assertThatThrownBy(() -> read(5)).isInstanceOf(LogFollower.StartAnewException.class);
    }

    @Test
    void aCheckpointThatSparesManyRecordsIsWorthBeginningAnew() throws Exception {
        ReplicatedLog log = open();
        append(log, 1, 3);
        follower.begin();
        assertThat(read(1)).containsExactly(1L, 2L);
        LedgerList list = log.list();
        long last = LedgerFollower.WORTH_A_BEGINNING + 2;
        cluster.replaceNode(
                list.withCheckpoint(new LedgerList.Pointer(99, last)).encode(), -1);
        assertThat(read(3)).isEmpty();
        cluster.replaceNode(
                list.withCheckpoint(new LedgerList.Pointer(99, last + 1)).encode(), -1);
        assertThatThrownBy(() -> read(3)).isInstanceOf(LogFollower.StartAnewException.class);
    }
}
