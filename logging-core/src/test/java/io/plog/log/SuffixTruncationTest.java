package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.plog.log.file.CheckpointFile;
import io.plog.log.file.DiskStorage;
import io.plog.log.file.SegmentHeader;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.testing.CallbackAppend;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@link MessageLog#truncateAfter} and {@link MessageLog#reset} do. The campaigns have them among their acts. */
@Timeout(60)
class SuffixTruncationTest {
    @TempDir
    private Path directory;

    private MessageLog open() throws Exception {
        return MessageLog.open(Logs.options(directory));
    }

    @Test
    void whatIsBehindACutIsGoneAndItsIndexesAreGivenOutAgain() throws Exception {
        try (MessageLog log = open()) {
            Logs.appendTexts(log, 1, 5);
            log.truncateAfter(2);
            assertThat(log.durableIndex()).isEqualTo(2);
            assertThat(log.appendAndWait(Logs.text("another 3"))).isEqualTo(3);
            assertThat(Logs.readTexts(log.read(1))).containsExactly("record 1", "record 2", "another 3");
        }
        assertThat(Logs.readTexts(directory)).containsExactly("record 1", "record 2", "another 3");
        try (MessageLog log = open()) {
            assertThat(log.recovery().cleanlyClosed()).isTrue();
            assertThat(Logs.readTexts(log.read(1))).containsExactly("record 1", "record 2", "another 3");
        }
    }

    @Test
    void aCutGoesBackOverSegmentsAndOverOtherCuts() throws Exception {
        try (MessageLog log = open()) {
            for (int i = 1; i <= 12; i++) {
                log.appendAndWait(Logs.bytes(15_000, i));
            }
            log.truncateAfter(9);
            log.appendAndWait(Logs.bytes(15_000, 100));
            log.truncateAfter(10);
            log.truncateAfter(4);
            assertThat(log.appendAndWait(Logs.text("another 5"))).isEqualTo(5);
            log.truncateAfter(4);
            assertThat(log.appendAndWait(Logs.text("a third 5"))).isEqualTo(5);
        }
        try (MessageLog log = open();
                LogReader reader = log.read(1)) {
            for (int i = 1; i <= 4; i++) {
                assertThat(reader.next()).isTrue();
                assertThat(reader.payload()).isEqualTo(Logs.bytes(15_000, i));
            }
            assertThat(Logs.readTexts(reader)).containsExactly("a third 5");
        }
    }

    @Test
    void aSegmentOfACopyThatWentAnotherWayIsNotContinued() throws Exception {
        append(directory, 1, 6);
        Path copy = Files.createDirectory(directory.resolve("copy"));
        LogTools.copy(List.of(new DiskStorage(directory)), List.of(new DiskStorage(copy)));
        append(copy, 7, 14);
        append(directory, 7, 15);
        try (MessageLog log = open()) {
            log.truncateAfter(13);
            log.appendAndWait(Logs.bytes(15_000, 100));
        }
        String continued = SegmentHeader.fileName(7);
        Files.copy(copy.resolve(continued), directory.resolve(continued), StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(this::open).isInstanceOf(LogDamagedException.class).hasMessageContaining(continued);
    }

    private static void append(Path directory, int from, int to) throws Exception {
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            for (int i = from; i <= to; i++) {
                log.appendAndWait(Logs.bytes(15_000, i));
            }
        }
    }

    @Test
    void allOfALogCanBeCut() throws Exception {
        try (MessageLog log = open()) {
            Logs.appendTexts(log, 1, 5);
            log.truncateAfter(0);
            assertThat(log.durableIndex()).isZero();
            assertThat(log.appendAndWait(Logs.text("first"))).isEqualTo(1);
        }
        assertThat(Logs.readTexts(directory)).containsExactly("first");
    }

    @Test
    void aLogThatIsEmptiedGoesOnAnywhere() throws Exception {
        try (MessageLog log = open()) {
            Logs.appendTexts(log, 1, 5);
            log.saveCheckpoint(3, Logs.text("state"));
            log.reset(100);
            assertThat(log.firstIndex()).isEqualTo(100);
            assertThat(log.durableIndex()).isEqualTo(99);
            assertThat(log.checkpoint()).isEmpty();
            assertThat(log.appendAndWait(Logs.text("record 100"))).isEqualTo(100);
        }
        try (MessageLog log = open()) {
            assertThat(log.checkpoint()).isEmpty();
            assertThat(Logs.readTexts(log.read(100))).containsExactly("record 100");
            log.reset(7);
            assertThat(log.appendAndWait(Logs.text("record 7"))).isEqualTo(7);
        }
        assertThat(Logs.readTexts(directory)).containsExactly("record 7");
    }

    @Test
    void aLogThatIsEmptiedForAStateHasItAsItsCheckpoint() throws Exception {
        try (MessageLog log = open()) {
            Logs.appendTexts(log, 1, 5);
            log.saveCheckpoint(3, Logs.text("state"));
            log.reset(100, Logs.text("another "), Logs.text("state"));
            assertThat(log.checkpointIndex()).isEqualTo(99);
            assertThat(log.checkpoint()).contains(new Checkpoint(99, Logs.text("another state")));
            assertThat(log.appendAndWait(Logs.text("record 100"))).isEqualTo(100);
            assertThatThrownBy(() -> log.truncateAfter(98)).isInstanceOf(IllegalArgumentException.class);
        }
        try (MessageLog log = open()) {
            assertThat(log.checkpoint()).contains(new Checkpoint(99, Logs.text("another state")));
            assertThat(Logs.readTexts(log.read(100))).containsExactly("record 100");
        }
    }

    @Test
    void whatIsSavedBehindAResetThatFailedAnywhereStays() throws Exception {
        boolean failed = true;
        for (int operation = 1; failed; operation++) {
            SimulatedDisk disk = new SimulatedDisk(512);
            boolean saved = false;
            try (MessageLog log = MessageLog.open(Logs.options(directory), disk)) {
                Logs.appendTexts(log, 1, 5);
                log.saveCheckpoint(3, Logs.text("state"));
                disk.faults().failOperation(operation);
                catchThrowable(() -> log.reset(100, Logs.text("another state")));
                failed = ModelledLog.failures(disk) > 0;
                disk.faults().disarm();
                if (log.failure() == null) {
                    log.saveCheckpoint(log.durableIndex(), Logs.text("a later state"));
                    saved = true;
                }
            } catch (LogFailedException expected) { // also if it was a segment that is prepared in the background
                assertThat(failed).isTrue();
            }
            try (MessageLog log = MessageLog.open(Logs.options(directory), disk.afterCrash(operation))) {
                ByteBuffer state = log.checkpoint().orElseThrow().state();
                assertThat(StandardCharsets.UTF_8.decode(state).toString())
                        .as("operation %d", operation)
                        .isIn(saved ? List.of("a later state") : List.of("state", "another state", "a later state"));
            }
        }
    }

    /** Between its step that decides and the head, which then knows of it. */
    @Test
    void theStateThatALogWasEmptiedForIsMissedAndCopiedWhereverTheResetEnded() throws Exception {
        int missed = 0;
        boolean crashed = true;
        for (int operation = 1; crashed; operation++) {
            ModelledLog log = new ModelledLog(new SimulatedDisk(512), 1);
            log.open(ModelledLog.Opening.of(Force.FDATASYNC));
            log.append(10, 20);
            log.saveCheckpoint(1, 100);
            log.disk().faults().crashAtOperation(operation);
            crashed = crashes(log, () -> log.reset(2, 200));
            log.endProcess();
            SimulatedDisk disk = log.afterKill(operation).disk();
            if (disk.files().contains(CheckpointFile.NEXT)) {
                SimulatedDisk copy = new SimulatedDisk(512);
                LogTools.copy(List.of(disk), List.of(copy));
                ByteBuffer state = Checkpoint.read(copy).orElseThrow().state();
                copy.delete(CheckpointFile.NAME);
                assertThat(LogTools.planRepair(List.of(copy)).isPresent()).isEqualTo(state.remaining() == 200);
                assertThat(LogTools.planRepair(List.of(disk))).isEmpty();
                disk.delete(CheckpointFile.NEXT);
                Optional<LogTools.RepairPlan> plan = LogTools.planRepair(List.of(disk));
                assertThat(plan.isPresent()).isEqualTo(state.remaining() == 200);
                if (plan.isPresent()) {
                    missed++;
                    assertThat(plan.get().damage().file()).isEqualTo(CheckpointFile.NAME);
                    LogTools.repair(plan.get(), List.of(disk));
                    assertThat(LogTools.planRepair(List.of(disk))).isEmpty();
                }
            }
        }
        assertThat(missed).isPositive();
    }

    @Test
    void aNewLogBeginsWhereItIsTold() throws Exception {
        LogOptions options = Logs.options(directory).withFirstIndex(1000);
        try (MessageLog log = MessageLog.open(options)) {
            assertThat(log.firstIndex()).isEqualTo(1000);
            assertThat(log.appendAndWait(Logs.text("record 1000"))).isEqualTo(1000);
        }
        try (MessageLog log = open()) {
            assertThat(log.recovery().firstIndex()).isEqualTo(1000);
            assertThat(Logs.readTexts(log.read(1000))).containsExactly("record 1000");
        }
    }

    @Test
    void aCutHasItsTurnAmongTheAppends() throws Exception {
        try (MessageLog log = open()) {
            Logs.appendTexts(log, 1, 3);
            List<CompletableFuture<Long>> before = new ArrayList<>();
            for (int i = 4; i <= 20; i++) {
                before.add(log.append(Logs.text("record " + i)));
            }
            log.truncateAfter(19); // which need not be durable yet
            for (int i = 0; i < before.size(); i++) {
                assertThat(before.get(i)).isCompletedWithValue(4L + i);
            }
            assertThat(log.appendAndWait(Logs.text("another 20"))).isEqualTo(20);
            assertThat(Logs.readTexts(log.read(19))).containsExactly("record 19", "another 20");
        }
    }

    @Test
    void aCutWaitsUntilAllBeforeItIsAcknowledged() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        List<String> named = new CopyOnWriteArrayList<>();
        AtomicReference<AppendEngine> engine = new AtomicReference<>();
        try (MessageLog log = Logs.open(Logs.options(directory), storage, engine)) {
            Logs.appendTexts(log, 1, 2);
            storage.hook((operation, file) -> {
                if (operation.equals("rename") && goOn.getCount() > 0) {
                    named.add(file);
                }
            });
            log.append(
                    new CallbackAppend(
                            durable -> {
                                told.countDown();
                                Logs.await(goOn);
                            },
                            failed -> {}),
                    Logs.text("record 3"));
            told.await();
            CompletableFuture<Void> cut = CompletableFuture.runAsync(() -> {
                try {
                    log.truncateAfter(1);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            while (log.queuedRecords() < 1) {
                Thread.onSpinWait();
            }
            List<CompletableFuture<Long>> behind = new ArrayList<>();
            for (int i = 2; i < 10; i++) { // so many that they are worth another lane
                behind.add(log.append(Logs.text("another " + i)));
            }
            engine.get()
                    .scheduler
                    .workUntil(() -> !named.isEmpty(), 100_000_000); // as a caller does that waits for its append
            goOn.countDown();
            cut.get();
            assertThat(named)
                    .as("files that got a name while a callback was under way")
                    .isEmpty();
            for (int i = 0; i < behind.size(); i++) {
                assertThat(behind.get(i).get()).isEqualTo(i + 2);
            }
        }
    }

    @Test
    void aRecoveryOfALogThatWasEmptiedMayEndAnywhere() throws Exception {
        boolean crashed = true;
        for (int operation = 1; crashed; operation++) {
            ModelledLog log = new ModelledLog(new SimulatedDisk(512), 1);
            log.open(ModelledLog.Opening.of(Force.FDATASYNC));
            log.append(10, 20);
            log.saveCheckpoint(2, 100);
            log.disk().faults().crashAtOperation(operation);
            crashed = crashes(log, () -> log.reset(100));
            log.endProcess();
            boolean again = crashed;
            for (int later = 1; again; later++) {
                ModelledLog next = log.afterKill(later);
                next.disk().faults().crashAtOperation(later);
                again = crashes(next, () -> next.open(ModelledLog.Opening.of(Force.FDATASYNC)));
                next.endProcess();
                ModelledLog last = next.afterKill(later);
                last.open(ModelledLog.Opening.of(Force.FDATASYNC));
                last.close();
            }
        }
    }

    private interface Act {
        void run() throws IOException;
    }

    private static boolean crashes(ModelledLog log, Act act) throws IOException {
        try {
            act.run();
            return log.disk().hasCrashed();
        } catch (IOException e) {
            if (!log.disk().hasCrashed()) {
                throw e;
            }
            return true;
        }
    }

    @Test
    void aReaderInFrontOfACutReadsOnAndOneBehindItLearnsOfIt() throws Exception {
        try (MessageLog log = open();
                LogReader before = log.read(1);
                LogReader behind = log.read(1)) {
            Logs.appendTexts(log, 1, 5);
            assertThat(before.next()).isTrue();
            for (int i = 1; i <= 4; i++) {
                assertThat(behind.next()).isTrue();
            }
            log.truncateAfter(2);
            Logs.appendTexts(log, 13, 16);
            assertThat(Logs.readTexts(before))
                    .containsExactly("record 2", "record 13", "record 14", "record 15", "record 16");
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(behind::next)
                        .isInstanceOfSatisfying(
                                LogReader.RecordsCutException.class,
                                cut -> assertThat(cut.firstCutIndex()).isEqualTo(3));
            }
        }
    }

    @Test
    void aReaderOfALogThatIsEmptiedLearnsOfIt() throws Exception {
        try (MessageLog log = open();
                LogReader atItsBegin = log.read(1);
                LogReader reader = log.read(1)) {
            Logs.appendTexts(log, 1, 3);
            assertThat(reader.next()).isTrue();
            log.reset(2);
            Logs.appendTexts(log, 2, 3);
            assertThatThrownBy(reader::next).isInstanceOf(LogReader.RecordsCutException.class);
            assertThatThrownBy(atItsBegin::next).isInstanceOf(LogReader.RecordsDroppedException.class);
            assertThat(Logs.readTexts(log.read(2))).isEqualTo(Logs.texts(2, 3));
        }
    }

    @Test
    void whatCannotBeCutIsNamedWithTheRange() throws Exception {
        try (MessageLog log = open()) {
            Logs.appendTexts(log, 1, 5);
            assertThatThrownBy(() -> log.truncateAfter(6))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("cannot drop what lies behind 6: the log holds 1 to 5");
            log.saveCheckpoint(3, Logs.text("state"));
            assertThatThrownBy(() -> log.truncateAfter(2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("cannot drop what lies behind 2: the log holds 1 to 5, and has a checkpoint at 3");
            assertThatThrownBy(() -> log.reset(0)).isInstanceOf(IllegalArgumentException.class);
            log.truncateAfter(5);
            assertThat(log.durableIndex()).isEqualTo(5);
        }
    }

    @Test
    void aCutIsRefusedInACallback() throws Exception {
        try (MessageLog log = open()) {
            AtomicReference<Throwable> refusal = new AtomicReference<>();
            log.appendAndWait(
                    new CallbackAppend(
                            durable -> refusal.set(catchThrowable(() -> log.truncateAfter(0))), refusal::set),
                    Logs.text("record 1"));
            assertThat(refusal.get()).isInstanceOf(IllegalStateException.class);
            assertThat(log.durableIndex()).isEqualTo(1);
        }
    }

    @Test
    void anIdleLogMarksWhatCameBehindACut() throws Exception {
        try (MessageLog log = open()) {
            Logs.appendTexts(log, 1, 1);
        }
        AtomicReference<AppendEngine> engine = new AtomicReference<>();
        try (MessageLog log = Logs.open(Logs.options(directory), new DiskStorage(directory), engine)) {
            assertThat(engine.get().idleMark.deadline()).isEqualTo(IdleWatermark.NEVER);
            log.truncateAfter(0);
            Logs.appendTexts(log, 1, 1); // with the index that was marked before
            assertThat(engine.get().idleMark.deadline()).isNotEqualTo(IdleWatermark.NEVER);
        }
    }

    @Test
    void theToolsShowTheLogAsTheCutLeavesIt(@TempDir Path elsewhere) throws Exception {
        try (MessageLog log = open()) {
            for (int i = 1; i <= 8; i++) {
                log.appendAndWait(Logs.bytes(15_000, i));
            }
            log.truncateAfter(2);
            Logs.appendTexts(log, 3, 6);
            log.truncateAfter(5);
        }
        List<String> salvaged = new ArrayList<>();
        LogTools.SalvageSummary summary = LogTools.salvage(
                List.of(directory),
                (file, offset, index, payload) -> salvaged.add(
                        index + (payload.remaining() > 100 ? "" : " " + StandardCharsets.UTF_8.decode(payload))));
        assertThat(salvaged).containsExactly("1", "2", "3 record 3", "4 record 4", "5 record 5");
        assertThat(summary.acknowledged()).isEqualTo(5);
        assertThat(LogTools.inspect(directory).segments())
                .extracting(LogTools.Segment::lastIndex)
                .startsWith(2L, 5L);
        Path copy = Files.createDirectory(elsewhere.resolve("copy"));
        LogTools.copy(List.of(new DiskStorage(directory)), List.of(new DiskStorage(copy)));
        assertThat(Logs.readTexts(LogReader.open(copy, 3))).isEqualTo(Logs.texts(3, 5));
    }

    @Test
    void aLogOfSeveralDirectoriesRefusesAndGoesOn(@TempDir Path other) throws Exception {
        LogOptions options = Logs.options(directory).withDirectories(List.of(directory, other));
        try (MessageLog log = MessageLog.open(options)) {
            Logs.appendTexts(log, 1, 2);
            assertThatThrownBy(() -> log.truncateAfter(1)).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> log.reset(9)).isInstanceOf(UnsupportedOperationException.class);
            assertThat(log.appendAndWait(Logs.text("record 3"))).isEqualTo(3);
        }
    }
}
