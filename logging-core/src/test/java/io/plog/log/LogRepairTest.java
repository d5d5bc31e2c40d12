package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.file.CheckpointFile;
import io.plog.log.file.DiskStorage;
import io.plog.log.file.HeadFile;
import io.plog.log.file.LogFiles;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.WriteFully;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogLockedException;
import io.plog.log.storage.Storage;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log of twelve records of 9,000 bytes in three segments, damaged in one way or another. */
class LogRepairTest {
    private static final int RECORDS = 12;

    @TempDir
    Path directory;

    private Storage storage;

    @BeforeEach
    void writeLog() throws Exception {
        storage = new DiskStorage(directory);
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            for (int i = 1; i <= RECORDS; i++) {
                log.appendAndWait(Logs.bytes(8_000, i));
            }
        }
    }

    @Test
    void aLogThatIsNotDamagedNeedsNoRepair() throws Exception {
        assertThat(LogTools.planRepair(List.of(storage))).isEmpty();
    }

    @Test
    void aCutEndsTheLogAtTheDamageAndKeepsWhatItCuts() throws Exception {
        Path damaged = Logs.segment(directory, 2);
        byte[] before = Files.readAllBytes(damaged);
        before[SegmentHeader.BLOCK_BYTES + 100] ^= 1; // in record 5, the first of segment 2
        Files.write(damaged, before);
        byte[] third = Files.readAllBytes(Logs.segment(directory, 3));

        LogTools.RepairPlan plan = LogTools.planRepair(List.of(storage)).orElseThrow();
        assertThat(plan.remedy()).isEqualTo(LogTools.Remedy.CUT);
        assertThat(plan.firstLost()).isEqualTo(5);
        assertThat(plan.acknowledged()).isEqualTo(RECORDS);
        assertThat(plan.acknowledgedLost()).isEqualTo(8);
        assertThat(plan.intactBehind()).isEqualTo(7);

        List<String> kept = LogTools.repair(plan, List.of(storage));
        assertThat(kept).contains("cut-00000000000000000003.seg-1.bin", "cut-2-at-4096-1.bin");
        assertThat(Files.readAllBytes(directory.resolve("cut-00000000000000000003.seg-1.bin")))
                .isEqualTo(third);
        byte[] tail = Files.readAllBytes(directory.resolve("cut-2-at-4096-1.bin"));
        assertThat(tail).isEqualTo(Arrays.copyOfRange(before, 4096, 4096 + tail.length));
        assertRecoveredAndUsable(4);
    }

    @Test
    void aMissingSegmentIsReplacedByAnEmptyOne() throws Exception {
        Files.delete(Logs.segment(directory, 2));
        LogTools.RepairPlan plan = LogTools.planRepair(List.of(storage)).orElseThrow();
        assertThat(plan.remedy()).isEqualTo(LogTools.Remedy.CUT);
        assertThat(plan.firstLost()).isEqualTo(5);
        assertThat(LogTools.repair(plan, List.of(storage))).contains("cut-00000000000000000003.seg-1.bin");
        assertRecoveredAndUsable(4);
    }

    @Test
    void aSegmentWithADamagedHeaderIsSetAside() throws Exception {
        Logs.overwrite(Logs.segment(directory, 1), 20, new byte[] {1, 2, 3});
        LogTools.RepairPlan plan = LogTools.planRepair(List.of(storage)).orElseThrow();
        assertThat(plan.firstLost()).isEqualTo(1);
        assertThat(plan.intactBehind()).isEqualTo(8);
        assertThat(LogTools.repair(plan, List.of(storage))).contains("cut-00000000000000000001.seg-1.bin");
        assertRecoveredAndUsable(0);
    }

    @Test
    void aSegmentThatLostItsEndIsPaddedAndThenCutWhereItsRecordsEnd() throws Exception {
        byte[] whole = Files.readAllBytes(Logs.segment(directory, 2));
        Files.write(Logs.segment(directory, 2), Arrays.copyOf(whole, 25_000)); // within record 7
        LogTools.RepairPlan plan = LogTools.planRepair(List.of(storage)).orElseThrow();
        assertThat(plan.remedy()).isEqualTo(LogTools.Remedy.PAD);
        assertThat(LogTools.repair(plan, List.of(storage))).isEmpty();

        LogTools.RepairPlan next = LogTools.planRepair(List.of(storage)).orElseThrow();
        assertThat(next.remedy()).isEqualTo(LogTools.Remedy.CUT);
        assertThat(next.firstLost()).isEqualTo(7);
        LogTools.repair(next, List.of(storage));
        assertRecoveredAndUsable(6);
    }

    /** Else the next look would find that it seems to hold records, and name the same cut once more. */
    @Test
    void aCutAlsoSetsASegmentAsideThatIsNotWhereItBelongs() throws Exception {
        byte[] third = Files.readAllBytes(Logs.segment(directory, 3));
        SegmentHeader known = SegmentHeader.decode(ByteBuffer.wrap(third), "", new StringBuilder());
        ByteBuffer misplaced = ByteBuffer.wrap(third.clone());
        new SegmentHeader(known.logId(), known.stripe(), 9, 5, known.segmentBytes()).encode(misplaced);
        Files.write(Logs.segment(directory, 4), misplaced.array());
        third[SegmentHeader.BLOCK_BYTES + 100] ^= 1; // in record 9
        Files.write(Logs.segment(directory, 3), third);
        LogTools.RepairPlan plan = LogTools.planRepair(List.of(storage)).orElseThrow();
        assertThat(LogTools.repair(plan, List.of(storage))).contains("cut-00000000000000000004.seg-1.bin");
        assertThat(LogTools.planRepair(List.of(storage))).isEmpty();
        assertRecoveredAndUsable(8);
    }

    /** Its check is right, and yet nobody ever chose such a segment. */
    @Test
    void aSegmentThatSaysThatItIsLargerThanAnyIsNotPadded() throws Exception {
        Path second = Logs.segment(directory, 2);
        ByteBuffer header = ByteBuffer.wrap(Files.readAllBytes(second));
        SegmentHeader known = SegmentHeader.decode(header, "", new StringBuilder());
        new SegmentHeader(known.logId(), known.stripe(), 2, known.epoch(), 1L << 48).encode(header);
        Files.write(second, header.array());
        LogTools.RepairPlan plan = LogTools.planRepair(List.of(storage)).orElseThrow();
        assertThat(plan.remedy()).isEqualTo(LogTools.Remedy.CUT);
        assertThat(plan.damage().found()).contains("281474976710656 bytes");
        LogTools.repair(plan, List.of(storage));
        assertRecoveredAndUsable(4);
    }

    @Test
    void aHeadThatCannotBeMadeAnewHasNoRemedyAndTheMessageSaysWhatElseIsDamaged() throws Exception {
        Logs.overwrite(directory.resolve(HeadFile.NAME), 33, new byte[] {7});
        Logs.overwrite(Logs.segment(directory, 1), 20, new byte[] {1, 2, 3});
        assertThatThrownBy(() -> LogTools.planRepair(List.of(storage)))
                .isInstanceOf(LogDamagedException.class)
                .hasMessageContaining("It cannot be made anew, because the header of " + SegmentHeader.fileName(1)
                        + " is damaged, or of another log, too");
    }

    @Test
    void theHeadIsMadeAnewFromTheOldestSegment() throws Exception {
        byte[] head = Files.readAllBytes(directory.resolve(HeadFile.NAME));
        Logs.overwrite(directory.resolve(HeadFile.NAME), 33, new byte[] {7});
        LogTools.RepairPlan plan = LogTools.planRepair(List.of(storage)).orElseThrow();
        assertThat(plan.remedy()).isEqualTo(LogTools.Remedy.REBUILD_HEAD);
        assertThat(LogTools.repair(plan, List.of(storage))).containsExactly("cut-log.head-1.bin");
        assertThat(Files.readAllBytes(directory.resolve(HeadFile.NAME))).isEqualTo(head);
        assertRecoveredAndUsable(RECORDS);
    }

    @Test
    void theHeadOfALogThatLostItsPrefixBeginsWithTheFirstRecordThatIsThere() throws Exception {
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            log.saveCheckpoint(RECORDS, Logs.text("state"));
            log.truncateBefore(9);
        }
        Files.delete(directory.resolve(HeadFile.NAME));
        LogTools.repair(LogTools.planRepair(List.of(storage)).orElseThrow(), List.of(storage));
        LogTools.Inspection found = LogTools.inspect(directory);
        assertThat(found.damage()).isEmpty();
        assertThat(found.firstIndex()).isEqualTo(9);
        assertThat(found.checkpointIndex()).isEqualTo(RECORDS);
    }

    @Test
    void aDamagedCheckpointIsSetAsideAndNotExpectedAnyMore() throws Exception {
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            log.saveCheckpoint(RECORDS, Logs.text("state"));
            log.truncateBefore(9);
        }
        Logs.overwrite(directory.resolve(CheckpointFile.NAME), 66, new byte[] {0});
        LogTools.RepairPlan plan = LogTools.planRepair(List.of(storage)).orElseThrow();
        assertThat(plan.remedy()).isEqualTo(LogTools.Remedy.DROP_CHECKPOINT);
        assertThat(LogTools.repair(plan, List.of(storage))).containsExactly("cut-log.checkpoint-1.bin");
        assertThat(LogTools.inspect(directory).damage()).isEmpty();
        assertThat(LogTools.inspect(directory).checkpointIndex()).isZero();
    }

    @Test
    void onlyTheDamageThatWasPlannedForIsRepaired() throws Exception {
        Logs.overwrite(Logs.segment(directory, 2), 5000, new byte[] {1});
        LogTools.RepairPlan plan = LogTools.planRepair(List.of(storage)).orElseThrow();
        Logs.overwrite(Logs.segment(directory, 1), 5000, new byte[] {1});
        byte[] before = Files.readAllBytes(Logs.segment(directory, 2));
        assertThatThrownBy(() -> LogTools.repair(plan, List.of(storage)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nothing was changed");
        assertThat(Files.readAllBytes(Logs.segment(directory, 2))).isEqualTo(before);
    }

    @Test
    void aLogThatIsOpenIsNotRepaired() throws Exception {
        Logs.overwrite(Logs.segment(directory, 2), 5000, new byte[] {1});
        LogTools.RepairPlan plan = LogTools.planRepair(List.of(storage)).orElseThrow();
        try (var held = storage.lock(LogFiles.LOCK)) {
            assertThat(held).isNotNull();
            assertThatThrownBy(() -> LogTools.repair(plan, List.of(storage))).isInstanceOf(LogLockedException.class);
        }
    }

    @Test
    void salvageFindsEveryIntactRecordAlsoBehindTheDamage() throws Exception {
        Logs.overwrite(Logs.segment(directory, 1), 5000, new byte[] {1}); // record 1
        Logs.overwrite(Logs.segment(directory, 2), 4096, new byte[40]); // the header of record 5
        List<Long> found = new ArrayList<>();
        LogTools.SalvageSummary summary = LogSalvage.search(List.of(storage), (file, offset, index, payload) -> {
            assertThat(payload).isEqualTo(Logs.bytes(8_000, (int) index));
            found.add(index);
        });
        assertThat(found)
                .isEqualTo(LongStream.rangeClosed(2, RECORDS)
                        .filter(index -> index != 5)
                        .boxed()
                        .toList());
        assertThat(summary.missing()).isEqualTo(1);
        assertThat(summary.acknowledged()).isEqualTo(RECORDS);
    }

    @Test
    void aCrashDuringARepairLeavesWhatWasIntactBefore() throws Exception {
        boolean crashed = true;
        for (int operation = 1; crashed; operation++) {
            for (int seed = 1; seed <= 4; seed++) {
                SimulatedDisk disk = copyToSimulatedDisk();
                disk.damage().flipBit(SegmentHeader.fileName(2), 8L * (SegmentHeader.BLOCK_BYTES + 100));
                LogTools.RepairPlan plan = LogTools.planRepair(List.of(disk)).orElseThrow();
                disk.faults().crashAtOperation(operation);
                try {
                    LogTools.repair(plan, List.of(disk));
                    crashed = false;
                } catch (IOException expected) {
                    assertThat(disk.hasCrashed()).isTrue();
                }
                disk.crash();
                SimulatedDisk after = disk.afterCrash(new java.util.SplittableRandom(seed));
                LogTools.RepairPlan again = LogTools.planRepair(List.of(after)).orElse(null);
                if (again != null) {
                    assertThat(again.firstLost()).isEqualTo(5);
                    LogTools.repair(again, List.of(after));
                }
                try (MessageLog log = MessageLog.open(Logs.options(directory), after);
                        LogReader reader = log.read(1)) {
                    for (int i = 1; i <= 4; i++) {
                        assertThat(reader.next()).isTrue();
                        assertThat(reader.payload()).isEqualTo(Logs.bytes(8_000, i));
                    }
                    assertThat(reader.next()).isFalse();
                }
            }
        }
    }

    private SimulatedDisk copyToSimulatedDisk() throws IOException {
        SimulatedDisk disk = new SimulatedDisk(512);
        for (String name : storage.list()) {
            if (!name.equals(LogFiles.LOCK)) {
                try (Storage.FileHandle file = disk.create(name)) {
                    WriteFully.fully(file, ByteBuffer.wrap(Files.readAllBytes(directory.resolve(name))), 0);
                    file.force(true);
                }
            }
        }
        disk.forceDirectory();
        return disk;
    }

    private void assertRecoveredAndUsable(int records) throws Exception {
        assertThat(LogTools.planRepair(List.of(storage))).isEmpty();
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            assertThat(log.durableIndex()).isEqualTo(records);
            for (int i = records + 1; i <= RECORDS + 2; i++) {
                log.appendAndWait(Logs.bytes(8_000, i));
            }
        }
        try (LogReader reader = LogReader.open(directory, 1)) {
            for (int i = 1; i <= RECORDS + 2; i++) {
                assertThat(reader.next()).isTrue();
                assertThat(reader.payload()).isEqualTo(Logs.bytes(8_000, i));
            }
            assertThat(reader.next()).isFalse();
        }
    }
}
