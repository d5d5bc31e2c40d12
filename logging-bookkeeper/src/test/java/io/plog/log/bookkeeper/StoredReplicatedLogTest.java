package io.plog.log.bookkeeper;

import static io.plog.log.bookkeeper.TakeoverTest.indexes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.LogOptions;
import io.plog.log.LogReader;
import io.plog.log.LogTools;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Looking into a replicated log: what is seen, and that no one of its users notices. */
class StoredReplicatedLogTest {
    private static final int RECORD_BYTES = 5_000;

    private final SimulatedCluster cluster = new SimulatedCluster(4, new SplittableRandom(3));
    private final SimulatedStore writer = new SimulatedStore(cluster);

    private ReplicatedLog open() throws IOException {
        return ReplicatedLog.open(
                "r",
                writer,
                null,
                LogOptions.in(Path.of("."))
                        .withSegmentBytes(LogOptions.SEGMENT_GRAIN_BYTES)
                        .withMaxRecordBytes(LogOptions.SEGMENT_GRAIN_BYTES / 4),
                writer::execute,
                cluster.clock());
    }

    private StoredReplicatedLog lookInto() throws IOException {
        return lookInto(null);
    }

    private StoredReplicatedLog lookInto(@Nullable Quorum asked) throws IOException {
        return StoredReplicatedLog.open("r", "simulated://bookies/r", new SimulatedStore(cluster), asked);
    }

    private static ByteBuffer record(int value) {
        return ByteBuffer.allocate(RECORD_BYTES).putInt(0, value);
    }

    private void append(ReplicatedLog log, int from, int to) {
        for (int value = from; value <= to; value++) {
            CompletableFuture<Long> future = log.append(record(value));
            do {
                cluster.settle();
            } while (writer.runTask());
            assertThat(future).isCompletedWithValue((long) value);
        }
    }

    private static List<Long> read(StoredReplicatedLog log, long from) throws IOException {
        return TakeoverTest.indexes(log.read(from));
    }

    @Test
    void aLogThatIsBeingWrittenIsSeenWithAllThatWasAcknowledgedAndItsWriterNoticesNothing() throws Exception {
        ReplicatedLog log = open();
        append(log, 1, 40);
        LedgerStore.Node before = Objects.requireNonNull(cluster.node());
        try (StoredReplicatedLog stored = lookInto()) {
            assertThat(read(stored, 0)).containsExactly(indexes(1, 40));
            assertThat(read(stored, 30)).containsExactly(indexes(30, 40));
            assertThat(read(stored, 41)).isEmpty();
            LogTools.Inspection found = stored.inspect();
            assertThat(found.records()).isEqualTo(40);
            assertThat(found.markedIndex()).isLessThanOrEqualTo(40);
            assertThat(found.cleanlyClosed()).isFalse();
            assertThat(found.damage()).isEmpty();
            assertThat(found.segments()).hasSizeGreaterThan(2);
            assertThat(found.segments().get(0).state()).isEqualTo("sealed");
            assertThat(found.segments().get(found.segments().size() - 1).state())
                    .isEqualTo("active");
        }
        assertThat(cluster.node()).isEqualTo(before);
        append(log, 41, 60);
        log.close();
        try (StoredReplicatedLog stored = lookInto()) {
            assertThat(stored.inspect().cleanlyClosed()).isTrue();
            assertThat(stored.inspect().markedIndex()).isEqualTo(60);
        }
    }

    @Test
    void aReaderThatWasClosedSaysSoAndOpensNoLedgerAgain() throws Exception {
        ReplicatedLog log = open();
        append(log, 1, 40);
        LogReader reader = log.read(1);
        assertThat(reader.next()).isTrue();
        reader.close();
        assertThatThrownBy(reader::next).isInstanceOf(IllegalStateException.class);
        log.close();
    }

    @Test
    void whatAWriterThatDiedHadUnderWayIsSeenAsARecoveryWouldFindIt() throws Exception {
        ReplicatedLog log = open();
        append(log, 1, 3);
        log.append(record(4));
        for (int i = 0; i < 6; i++) {
            cluster.step();
        }
        writer.kill();
        try (StoredReplicatedLog stored = lookInto()) {
            LogTools.Inspection found = stored.inspect();
            assertThat(found.lastIndex()).isBetween(3L, 4L);
            assertThat(found.notes()).anyMatch(note -> note.contains("nothing says yet that they were acknowledged"));
        }
    }

    @Test
    void oneBookieLessHidesNothing() throws Exception {
        ReplicatedLog log = open();
        append(log, 1, 20);
        cluster.crash(1);
        try (StoredReplicatedLog stored = lookInto()) {
            assertThat(read(stored, 0)).containsExactly(indexes(1, 20));
        }
    }

    @Test
    void theCheckpointIsRead() throws Exception {
        ReplicatedLog log = open();
        append(log, 1, 20);
        writer.waitForEntries(true);
        log.saveCheckpoint(15, record(7));
        try (StoredReplicatedLog stored = lookInto()) {
            assertThat(stored.checkpoint().orElseThrow().index()).isEqualTo(15);
            assertThat(stored.inspect().checkpointIndex()).isEqualTo(15);
            log.saveCheckpoint(20, record(8)); // the ledger of the one before is deleted
            assertThat(stored.checkpoint().orElseThrow().index()).isEqualTo(20);
        }
    }

    @Test
    void recordsThatAreDroppedMeanwhileAreNoDamage() throws Exception {
        ReplicatedLog log = open();
        append(log, 1, 40);
        try (StoredReplicatedLog stored = lookInto()) {
            writer.waitForEntries(true);
            log.saveCheckpoint(40, record(7));
            long first = log.truncateBefore(41);
            assertThat(first).isGreaterThan(1);
            assertThatThrownBy(() -> read(stored, 0)).isInstanceOf(LogReader.RecordsDroppedException.class);
            LogTools.Inspection found = stored.inspect();
            assertThat(found.damage()).isEmpty();
            assertThat(found.firstIndex()).isEqualTo(first);
            assertThat(found.lastIndex()).isEqualTo(40);
        }
    }

    @Test
    void damageToAllCopiesOfARecordIsNamed() throws Exception {
        ReplicatedLog log = open();
        append(log, 1, 10);
        log.close();
        cluster.bookies.forEach(bookie -> bookie.damage(1, 4));
        try (StoredReplicatedLog stored = lookInto()) {
            assertThatThrownBy(() -> read(stored, 0))
                    .isInstanceOf(LogDamagedException.class)
                    .hasMessageContaining("ledger 1");
            LogTools.Inspection found = stored.inspect();
            assertThat(found.lastIndex()).isEqualTo(4);
            assertThat(found.damage().orElseThrow().offset()).isEqualTo(4);
            assertThat(found.segments().get(0).content()).isEqualTo("damaged");
            assertThat(read(stored, 6)).containsExactly(indexes(6, 10));
        }
    }

    @Test
    void aLedgerThatIsGoneIsDamage() throws Exception {
        ReplicatedLog log = open();
        append(log, 1, 40);
        log.close();
        cluster.deleteLedger(1);
        try (StoredReplicatedLog stored = lookInto()) {
            LogDamagedException damage = stored.inspect().damage().orElseThrow();
            assertThat(damage.file()).isEqualTo("ledger 1");
            assertThat(damage.found()).isEqualTo("no such ledger");
        }
    }

    @Test
    void aLogThatIsNotThereOrWasMadeWithOtherSettingsIsRefused() throws Exception {
        assertThatThrownBy(this::lookInto)
                .isInstanceOf(LogException.class)
                .hasMessage(
                        "there is no log at simulated://bookies/r: expected one that was written; nothing was created");
        assertThat(cluster.node()).isNull();
        open().close();
        assertThatThrownBy(() -> lookInto(new Quorum(1, 1, 1)))
                .hasMessage(
                        "log r was made with ensemble=3, write=3, ack=2, and the address asks for ensemble=1, write=1,"
                                + " ack=1: ask for the same, or use another name");
    }
}
