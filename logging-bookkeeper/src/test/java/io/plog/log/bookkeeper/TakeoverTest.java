package io.plog.log.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.LogFailedException;
import io.plog.log.LogOptions;
import io.plog.log.LogReader;
import io.plog.log.LogTools;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogLockedException;
import io.plog.log.storage.LogRefusedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What happens to a server when another takes its log over, and what keeps the log whole meanwhile. */
class TakeoverTest {
    private final SimulatedCluster cluster = new SimulatedCluster(4, new SplittableRandom(3));

    private SimulatedStore store = new SimulatedStore(cluster);

    private ReplicatedLog open() throws IOException {
        store = new SimulatedStore(cluster);
        return open(store);
    }

    private ReplicatedLog open(SimulatedStore own) throws IOException {
        return ReplicatedLog.open("r", own, null, options(), own::execute, cluster.clock());
    }

    static LogOptions options() {
        return LogOptions.in(Path.of("."))
                .withSegmentBytes(LogOptions.SEGMENT_GRAIN_BYTES)
                .withMaxRecordBytes(LogOptions.SEGMENT_GRAIN_BYTES / 4);
    }

    static ByteBuffer record(int value) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(0, value);
    }

    /** The indexes of the records that a reader delivers, each of which begins with its index; closes it. */
    static List<Long> indexes(LogReader reader) throws IOException {
        List<Long> found = new ArrayList<>();
        try (reader) {
            while (reader.next()) {
                assertThat(reader.payload().getInt(0)).isEqualTo((int) reader.index());
                found.add(reader.index());
            }
        }
        return found;
    }

    static Long[] indexes(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toArray(Long[]::new);
    }

    private void append(ReplicatedLog log, int value) {
        append(cluster, log, value);
    }

    /** Appends the record of this number, which becomes that index. */
    static void append(SimulatedCluster cluster, ReplicatedLog log, int value) {
        CompletableFuture<Long> future = log.append(record(value));
        cluster.settle();
        assertThat(future).isCompletedWithValue((long) value);
    }

    @Test
    void nothingIsAcknowledgedBeforeTheAckQuorumHasForcedIt() throws Exception {
        for (int seed = 0; seed < 50; seed++) {
            SimulatedCluster other = new SimulatedCluster(3, new SplittableRandom(seed));
            SimulatedStore own = new SimulatedStore(other);
            ReplicatedLog log = ReplicatedLog.open("r", own, null, options(), own::execute, other.clock());
            CompletableFuture<Long> future = log.append(record(1));
            while (!future.isDone()) {
                assertThat(other.step()).isTrue();
            }
            assertThat(other.bookies.stream().filter(bookie -> bookie.hasForced(log.currentLedger(), 0)))
                    .as("copies, with seed %s", seed)
                    .hasSizeGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void aChangeOfTheListWhoseAnswerIsLostHasTakenPlace() throws Exception {
        ReplicatedLog log = open();
        append(log, 1);
        store.waitForEntries(true);
        cluster.loseAnswers(2);
        log.saveCheckpoint(1, record(5));
        assertThat(log.checkpointIndex()).isEqualTo(1);
        assertThat(log.truncateBefore(2)).isEqualTo(1);
        store.waitForEntries(false);
        append(log, 2);
        assertThat(open().checkpoint().orElseThrow().state()).isEqualTo(record(5));
    }

    /** The records behind the copy are in ledgers that it does not know, the first of which may have been deleted since. */
    @ParameterizedTest
    @CsvSource({"false, 0", "false, 3", "false, 40", "true, 0", "true, 3", "true, 40"})
    void aLogWhoseMetadataAreOlderThanItsBookiesIsRefused(boolean fromTheBeginning, int opened) throws Exception {
        Runnable beginning = cluster.copyMetadata();
        append(open(), 1);
        open().close();
        Runnable later = cluster.copyMetadata();
        for (int i = 0; i < opened; i++) {
            open().close();
        }
        append(open(), 2);
        Runnable last = cluster.copyMetadata();
        (fromTheBeginning ? beginning : later).run();
        if (cluster.node() != null) {
            LogTools.Inspection stored = StoredReplicatedLog.open("r", "r", new SimulatedStore(cluster), null)
                    .inspect();
            assertThat(stored.damage()).get().asString().contains("expected change ");
            assertThatThrownBy(() -> LedgerRepair.plan("r", new SimulatedStore(cluster), cluster.clock()))
                    .hasMessageContaining("restore the last");
        }
        for (int attempt = 0; attempt < 20; attempt++) {
            assertThatThrownBy(this::open).isInstanceOf(LogException.class).hasMessageContaining("restore the last");
        }
        last.run();
        assertThat(open().durableIndex()).isEqualTo(2);
    }

    /** Another log's ledger that ZooKeeper has forgotten, for whose number nobody looks but the one who is given it. */
    @Test
    void aLedgerWhoseNumberBookiesKnowIsNotWrittenTo() throws Exception {
        append(open(), 1);
        long next = cluster.createLedger(Quorum.DEFAULT) + 1;
        cluster.bookies.get(2).addStably(next, 0, new SimulatedBookie.Entry(record(9), -1));
        assertThatThrownBy(this::open)
                .isInstanceOf(LogException.class)
                .hasMessageContaining("created ledger " + next + ", of which bookies have entries [bookie 2]");
        assertThat(open().durableIndex()).isEqualTo(1);
    }

    /** Whoever puts older data back meanwhile: a change that is not noted is one that nothing was built on. */
    @Test
    void aChangeThatTooFewBookiesNoteIsNoneToBuildOn() throws Exception {
        ReplicatedLog log = open();
        append(log, 1);
        for (int bookie = 1; bookie < cluster.bookies.size(); bookie++) {
            cluster.crash(bookie);
        }
        assertThatThrownBy(() -> log.truncateBefore(1)).hasMessageContaining("too few bookies");
    }

    @Test
    void aServerThatWasReplacedAcknowledgesNothing() throws Exception {
        ReplicatedLog old = open();
        append(old, 1);
        ReplicatedLog next = open();
        CompletableFuture<Long> late = old.append(record(2));
        cluster.settle();
        assertThatThrownBy(late::join)
                .hasCauseInstanceOf(LogFailedException.class)
                .hasMessageContaining("fenced");
        append(next, 2);
        assertThat(old.durableIndex()).isEqualTo(1);
        assertThatThrownBy(() -> old.saveCheckpoint(1, record(1))).isInstanceOf(LogFailedException.class);
    }

    @Test
    void aLogWhoseLedgerAutoRecoveryClosedIsStillItsWritersAndGoesOnWhenThatOneOpensItAgain() throws Exception {
        ReplicatedLog log = open();
        append(log, 1);
        cluster.recover(log.currentLedger());
        log.checkHeld(); // although there is nothing to append
        LogFailedException failed = log.failure();
        assertThat(failed).isNotNull().hasMessageContaining("was closed");
        assertThat(failed.reason()).isEqualTo(LogFailedException.Reason.FENCED);
        log.checkHeld(); // no other server has it
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
        ReplicatedLog again = open();
        append(again, 2);

        cluster.recover(again.currentLedger());
        CompletableFuture<Long> refused = again.append(record(3));
        cluster.settle();
        assertThatThrownBy(refused::join).hasMessageContaining("fenced");
        again.checkHeld();
        assertThat(open().durableIndex()).isEqualTo(2);
    }

    @Test
    void aServerThatWasReplacedLearnsItWhenItAsks() throws Exception {
        ReplicatedLog old = open();
        append(old, 1);
        ReplicatedLog next = open();
        CompletableFuture<Long> late = old.append(record(2));
        cluster.settle();
        assertThat(late).isCompletedExceptionally();
        assertThatThrownBy(old::checkHeld)
                .isInstanceOf(LogLockedException.class)
                .hasMessage("another server has taken log r over");
        append(next, 2);
    }

    /** A server that was stopped right after it had opened the log, and wakes when another has dropped what it is about to read. */
    @Test
    void whatAnotherServerDeletedMeanwhileIsNoDamage() throws Exception {
        ReplicatedLog first = open();
        append(first, 1);
        store.waitForEntries(true);
        first.saveCheckpoint(1, record(1));
        store.waitForEntries(false);
        append(first, 2);
        ReplicatedLog stopped = open();
        SimulatedStore own = new SimulatedStore(cluster);
        ReplicatedLog next = open(own);
        own.waitForEntries(true);
        next.saveCheckpoint(2, record(2));
        own.waitForEntries(false);
        append(next, 3);
        cluster.pass(2 * 24 * 3600);
        assertThat(next.truncateBefore(3)).isEqualTo(3);

        assertThatThrownBy(stopped::checkpoint)
                .isInstanceOf(LogLockedException.class)
                .hasMessage("another server has taken log r over");
        try (LogReader reader = stopped.read(2)) {
            assertThatThrownBy(reader::next).isInstanceOf(LogLockedException.class);
        }
        assertThat(stopped.failure()).as("its next append finds out").isNull();
    }

    @Test
    void itsOwnChangeOfLedgerIsNotTakenForAFence() throws Exception {
        cluster.crash(0);
        cluster.crash(1);
        ReplicatedLog log = open();
        append(log, 1);
        cluster.bookies.get(1).restart();
        log.checkHeld(); // from here on it leaves its ledger
        CompletableFuture<Long> second = log.append(record(2));
        store.beforeOperation(() -> store.beforeOperation(() -> check(log))); // closed, and no other made yet
        assertThat(store.runTask()).isTrue();
        cluster.settle();
        assertThat(second).isCompletedWithValue(2L);
    }

    private static void check(ReplicatedLog log) {
        try {
            log.checkHeld();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void ofTwoServersThatOpenAtOnceOneIsRefusedAndLeavesNothingBehind() throws Exception {
        append(open(), 1);
        SimulatedStore slow = new SimulatedStore(cluster);
        ReplicatedLog[] fast = new ReplicatedLog[1];
        slow.beforeOperation(() -> slow.beforeOperation(() -> fast[0] = openUnchecked()));
        assertThatThrownBy(() -> open(slow))
                .isInstanceOf(LogLockedException.class)
                .hasMessage("another server opened log r at the same time and has it; this one is fenced. Nothing was"
                        + " changed");
        append(fast[0], 2);
        assertThat(cluster.ledgers).hasSize(2);
    }

    private ReplicatedLog openUnchecked() {
        try {
            return open();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theCheckpointBeforeIsThereUntilTheListNamesTheNewOne() throws Exception {
        ReplicatedLog log = open();
        append(log, 1);
        store.waitForEntries(true);
        log.saveCheckpoint(0, record(7));
        for (int operation = 0; operation < 20; operation++) {
            store.killAt(operation);
            int state = operation;
            try {
                log.saveCheckpoint(1, record(state));
            } catch (SimulatedStore.Killed e) {
                // it was killed on the way
            }
            log = open();
            store.waitForEntries(true);
            assertThat(log.checkpoint()).isPresent();
        }
    }

    @Test
    void aStateThatChangesWhileItIsSavedIsRefusedAndTheCheckpointBeforeStays() throws Exception {
        ReplicatedLog log = open();
        append(log, 1);
        store.waitForEntries(true);
        log.saveCheckpoint(0, record(7));
        ByteBuffer state = ByteBuffer.allocate(3 * CheckpointLedger.PIECE_BYTES);
        store.beforeOperation(() -> state.put(2 * CheckpointLedger.PIECE_BYTES, (byte) 1));
        assertThatThrownBy(() -> log.saveCheckpoint(1, state))
                .isInstanceOf(LogRefusedException.StateChanged.class)
                .hasMessageContaining("gave crc");
        assertThat(log.checkpointIndex()).isZero();
        store.waitForEntries(false);
        append(log, 2);
        assertThat(open().checkpoint().orElseThrow().state()).isEqualTo(record(7));
    }

    @Test
    void aServerThatSleptAsksWhoseTheLogIsBeforeItAcknowledges() throws Exception {
        ReplicatedLog old = open();
        SimulatedStore itsStore = store;
        append(old, 1);
        ReplicatedLog next = open();
        append(next, 2);
        cluster.pass(2 * OwnershipProof.FENCE_SECONDS);
        store.waitForEntries(true);
        next.saveCheckpoint(2, record(2));
        next.truncateBefore(3); // the old server's ledger is deleted, and its fence with it
        append(open(), 3);
        CompletableFuture<Long> late = old.append(record(2));
        cluster.settle();
        assertThat(late).isNotDone();
        assertThat(itsStore.runTask()).isTrue();
        assertThatThrownBy(late::join).hasMessageContaining("another server has taken log r over");
    }

    @Test
    void aServerIsSureThatItHoldsTheLogForLessThanASessionSinceItAsked() throws Exception {
        ReplicatedLog log = open();
        assertThat(log.isSurelyHeld()).isTrue();
        store.beforeOperation(() -> cluster.pass(5)); // so long the answer takes
        log.checkHeld();
        assertThat(log.isSurelyHeld()).isTrue();
        cluster.pass(2);
        assertThat(log.isSurelyHeld()).isTrue();
        cluster.pass(1);
        assertThat(log.isSurelyHeld()).as("8 s after it asked").isFalse();
        log.checkHeld();
        assertThat(log.isSurelyHeld()).isTrue();
        open();
        log.checkHeld();
        assertThat(log.isSurelyHeld()).as("another server has it").isFalse();
    }

    @Test
    void aFencedLedgerIsKeptForADay() throws Exception {
        ReplicatedLog first = open();
        long empty = first.currentLedger();
        open();
        assertThat(cluster.ledgers).containsKey(empty);
        cluster.pass(OwnershipProof.FENCE_SECONDS - 1);
        open();
        assertThat(cluster.ledgers).containsKey(empty);
        cluster.pass(2);
        open();
        assertThat(cluster.ledgers).doesNotContainKey(empty);
    }

    @Test
    void aDamagedEntryIsNamed() throws Exception {
        ReplicatedLog log = open();
        append(log, 1);
        append(log, 2);
        cluster.bookies.forEach(bookie -> bookie.damage(log.currentLedger(), 1));
        try (LogReader reader = log.read(1)) {
            assertThat(reader.next()).isTrue();
            assertThatThrownBy(reader::next)
                    .isInstanceOf(LogException.class)
                    .hasMessageContaining("ledger " + log.currentLedger() + ", offset 1: expected record 2");
        }
    }

    @Test
    void aLedgerThatBeganWithoutABookieIsLeftWhenItIsBack() throws Exception {
        cluster.crash(0);
        cluster.crash(1); // two of four are left
        ReplicatedLog log = open();
        append(log, 1);
        long first = log.currentLedger();
        log.checkHeld();
        append(log, 2);
        assertThat(log.currentLedger()).as("there is no better place").isEqualTo(first);

        cluster.bookies.get(1).restart();
        log.checkHeld();
        cluster.pass(1);
        CompletableFuture<Long> third = log.append(record(3));
        cluster.pass(2);
        assertThat(log.status().stalledNanos())
                .as("it waits for the next ledger")
                .isEqualTo(TimeUnit.SECONDS.toNanos(2));
        assertThat(store.runTask()).as("ledgers change").isTrue();
        cluster.settle();
        assertThat(third).isCompletedWithValue(3L);
        assertThat(log.status().stalledNanos()).isZero();
        assertThat(cluster.metadata(log.currentLedger()).copies(0)).containsExactlyInAnyOrder(1, 2, 3);

        cluster.bookies.get(0).restart();
        log.checkHeld();
        append(log, 4); // a spare one is no reason
        assertThat(open().durableIndex()).isEqualTo(4);
    }

    @Test
    void aLedgerWhoseBookieIsGoneIsLeftThoughThereIsNothingToAppend() throws Exception {
        cluster.crash(3); // none is spare
        ReplicatedLog log = open();
        append(log, 1);
        long first = log.currentLedger();
        cluster.crash(0);
        log.checkHeld();
        assertThat(store.runTask()).as("ledgers change").isTrue();
        assertThat(log.currentLedger()).isNotEqualTo(first);
        assertThat(cluster.metadata(log.currentLedger()).copies(0)).containsExactlyInAnyOrder(1, 2);
        cluster.recover(first); // by auto-recovery: it was closed before
        log.checkHeld();
        append(log, 2);

        cluster.crash(1);
        log.checkHeld();
        assertThat(store.hasTask())
                .as("below the ack quorum there is no better ledger")
                .isFalse();
    }
}
