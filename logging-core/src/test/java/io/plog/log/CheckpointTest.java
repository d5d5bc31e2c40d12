package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.file.CheckpointFile;
import io.plog.log.file.HeadFile;
import io.plog.log.file.LogFiles;
import io.plog.log.file.PermanentFailure;
import io.plog.log.file.StripeId;
import io.plog.log.segment.PreparingPace;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogRefusedException;
import io.plog.simdisk.PowerLostException;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointTest {
    @TempDir
    Path directory;

    @Test
    void besideALogAtWorkACheckpointIsForcedInSmallPiecesAndAtRestAtOnce() throws Exception {
        UUID logId = new UUID(1, 2);
        ByteBuffer state = ByteBuffer.allocate(1 << 20);
        SimulatedDisk atRest = new SimulatedDisk(512);
        CheckpointFile.write(atRest, logId, 5, () -> 7, state);
        SimulatedDisk atWork = new SimulatedDisk(512);
        AtomicLong durable = new AtomicLong(7);
        CheckpointFile.write(atWork, logId, 5, durable::incrementAndGet, state);

        assertThat(atRest.operations()).isLessThan(12);
        // A write and a force for each 128 KiB instead of one.
        assertThat(atWork.operations() - atRest.operations()).isGreaterThanOrEqualTo(2 * 7);
        HeadFile head = new HeadFile(logId, StripeId.at(0, 1), 1, 1, 0);
        assertThat(CheckpointFile.read(atWork, head)).isEqualTo(new CheckpointFile(5, state));
        assertThat(CheckpointFile.read(atRest, head)).isEqualTo(new CheckpointFile(5, state));
    }

    @Test
    void aCheckpointInPiecesIsReplacedAsAWholeWhereverItIsInterrupted() throws Exception {
        UUID logId = new UUID(1, 2);
        HeadFile head = new HeadFile(logId, StripeId.at(0, 1), 1, 1, 0);
        CheckpointFile before = new CheckpointFile(5, Logs.bytes(300_000, 1));
        CheckpointFile after = new CheckpointFile(6, Logs.bytes(600_000, 2));
        for (int at = 1; writeInPieces(logId, head, before, after, at, false); at++) {
            assertThat(at).isLessThan(100);
        }
    }

    @Test
    void onAFullDiskACheckpointIsReplacedAsAWholeWhereverItIsInterrupted() throws Exception {
        UUID logId = new UUID(1, 2);
        HeadFile head = new HeadFile(logId, StripeId.at(0, 1), 1, 1, 0);
        CheckpointFile before = new CheckpointFile(5, Logs.bytes(300_000, 1));
        CheckpointFile after = new CheckpointFile(6, Logs.bytes(310_000, 2));
        int at = 1;
        while (writeInPieces(logId, head, before, after, at, true)) {
            assertThat(++at).isLessThan(100);
        }
        assertThat(at).isGreaterThan(6);
    }

    @Test
    void aSpareFileThatIsTheCheckpointItselfIsNotWritten() throws Exception {
        UUID logId = new UUID(1, 2);
        HeadFile head = new HeadFile(logId, StripeId.at(0, 1), 1, 1, 0);
        SimulatedDisk disk = new SimulatedDisk(512);
        CheckpointFile.write(disk, logId, 5, () -> 7, Logs.text("before"));
        disk.link(
                CheckpointFile.NAME,
                CheckpointFile.NAME + ".spare"); // as a crash in the middle of an exchange leaves it
        disk.faults().leaveSpace(0);
        assertThatThrownBy(() -> CheckpointFile.write(disk, logId, 6, () -> 7, Logs.text("after")))
                .hasMessageContaining("No space left");
        assertThat(CheckpointFile.read(disk, head)).isEqualTo(new CheckpointFile(5, Logs.text("before")));
        disk.faults().giveSpaceBack();
        CheckpointFile.reserveSpace(disk, () -> 7, Logs.text("before"));
        disk.faults().leaveSpace(0);
        CheckpointFile.write(disk, logId, 6, () -> 7, Logs.text("after"));
        assertThat(CheckpointFile.read(disk, head)).isEqualTo(new CheckpointFile(6, Logs.text("after")));
    }

    @Test
    void whatAReplacementThatFailedLeftKeepsNoSpaceFromBeingReserved() throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512);
        disk.create(HeadFile.NAME + LogFiles.TEMPORARY_SUFFIX).close();
        HeadFile.reserveSpace(disk);
        assertThat(disk.files()).containsExactly(HeadFile.NAME + ".spare");
    }

    @Test
    void aCheckpointThatMayStillBeOnTheDiskIsNotWrittenAsASpareFile() throws Exception {
        UUID logId = new UUID(1, 2);
        HeadFile head = new HeadFile(logId, StripeId.at(0, 1), 1, 1, 0);
        for (int seed = 0; seed < 2_000; seed++) {
            SimulatedDisk disk = new SimulatedDisk(512, seed);
            CheckpointFile.write(disk, logId, 5, () -> 7, Logs.text("first"));
            CheckpointFile.reserveSpace(disk, () -> 7, Logs.text("first"));
            disk.faults().leaveSpace(0);
            disk.faults().failOperation(4 + seed % 6); // the exchange of names may fail, and be done all the same
            try {
                CheckpointFile.write(disk, logId, 6, () -> 7, Logs.text("second"));
                continue;
            } catch (PermanentFailure logFails) {
                continue;
            } catch (IOException triedAgain) {
                disk.faults().crashAtOperation(3 + seed / 6 % 8);
            }
            try {
                CheckpointFile.write(disk, logId, 7, () -> 7, Logs.text("third"));
            } catch (IOException powerLostOrRefused) {
                disk.crash();
            }
            for (int survivor = 0; survivor < 8; survivor++) {
                assertThat(CheckpointFile.read(disk.copy().afterCrash(survivor), head))
                        .as("seed %s", seed)
                        .isNotNull();
            }
        }
    }

    @Test
    void aLogAtItsBoundOnAFullDiskGoesOn() throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512);
        PreparingPace quick = new PreparingPace() {
            @Override
            public long retryNanos() {
                return 1_000_000;
            }
        };
        LogThreading threading = new LogThreading(quick, LogThreading.normal().runner());
        try (MessageLog log = MessageLog.open(Logs.options(directory), List.of(disk), threading)) {
            log.saveCheckpoint(0, Logs.text("at first"));
            disk.faults().leaveSpace(0);
            while (log.durableIndex() < 200) {
                try {
                    log.appendAndWait(Logs.bytes(Logs.SEGMENT_BYTES / 5, 1));
                } catch (LogRefusedException.NoSpace full) {
                    log.saveCheckpoint(log.durableIndex(), Logs.bytes(3_000, 1));
                    log.truncateBefore(log.durableIndex() + 1);
                    disk.faults().leaveSpace(0); // whatever became free, a stranger took
                }
            }
            assertThat(log.firstIndex()).isGreaterThan(100);
        }
    }

    @Test
    void aStateThatChangesWhileItIsSavedIsRefusedAndTheCheckpointBeforeStays() throws Exception {
        for (int operation = 1; operation <= 6; operation++) {
            SimulatedDisk disk = new SimulatedDisk(512);
            byte[] state = new byte[3000];
            boolean refused = false;
            try (MessageLog log = MessageLog.open(Logs.options(directory), disk)) {
                Logs.appendTexts(log, 1, 5);
                log.saveCheckpoint(3, Logs.text("before"));
                disk.faults().runAtOperation(operation, () -> state[1000]++);
                try {
                    log.saveCheckpoint(5, ByteBuffer.wrap(state));
                } catch (LogRefusedException.StateChanged e) {
                    refused = true;
                    assertThat(e)
                            .hasMessageContaining("its 3000 bytes gave crc")
                            .hasMessageContaining("as it was copied");
                    assertThat(log.checkpointIndex()).isEqualTo(3);
                    assertThat(disk.files()).doesNotContain(CheckpointFile.NAME + ".tmp");
                }
                assertThat(state[1000]).isEqualTo((byte) 1);
                Logs.appendTexts(log, 6, 7);
            }
            try (MessageLog log = MessageLog.open(Logs.options(directory), disk)) {
                Checkpoint found = log.checkpoint().orElseThrow();
                if (refused) {
                    assertThat(text(found)).as("operation %s", operation).isEqualTo("before");
                } else {
                    assertThat(found.state()).as("operation %s", operation).isEqualTo(ByteBuffer.allocate(3000));
                }
            }
            assertThat(refused).as("operation %s", operation).isEqualTo(operation <= 2);
        }
    }

    @Test
    void whereTheBuffersOfAStateBeginAndEndIsTakenOnce() throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512);
        ByteBuffer moved = Logs.text("state");
        try (MessageLog log = MessageLog.open(Logs.options(directory), disk)) {
            disk.faults().runAtOperation(1, () -> moved.position(3).limit(4));
            log.saveCheckpoint(0, moved);
        }
        try (MessageLog log = MessageLog.open(Logs.options(directory), disk)) {
            assertThat(text(log.checkpoint().orElseThrow())).isEqualTo("state");
        }
    }

    /** Loses power at an operation; returns whether it came to that. */
    private static boolean writeInPieces(
            UUID logId, HeadFile head, CheckpointFile before, CheckpointFile after, int at, boolean full)
            throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512, at);
        AtomicLong durable = new AtomicLong(7);
        CheckpointFile.write(disk, logId, before.index(), durable::incrementAndGet, before.state());
        if (full) {
            CheckpointFile.reserveSpace(disk, durable::incrementAndGet, before.state());
            disk.faults().leaveSpace(0);
        }
        disk.faults().crashAtOperation(at);
        boolean interrupted = false;
        try {
            CheckpointFile.write(disk, logId, after.index(), durable::incrementAndGet, after.state());
        } catch (PowerLostException | PermanentFailure lost) {
            interrupted = true;
        }
        disk.crash();
        for (long seed = 1; seed <= 20; seed++) {
            CheckpointFile found = CheckpointFile.read(disk.copy().afterCrash(seed), head);
            if (interrupted) {
                assertThat(found).as("operation %s, seed %s", at, seed).isIn(before, after);
            } else {
                assertThat(found).isEqualTo(after);
            }
        }
        return interrupted;
    }

    /** What an opening refuses must not pass for no checkpoint when it happens later. */
    @ParameterizedTest
    @ValueSource(strings = {CheckpointFile.NAME, HeadFile.NAME})
    void aCheckpointThatIsGoneIsNotTakenForNone(String gone) throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512);
        try (MessageLog log = MessageLog.open(Logs.options(Path.of("simulated")), disk)) {
            Logs.appendTexts(log, 1, 3);
            log.saveCheckpoint(2, Logs.text("state"));
            disk.delete(gone);
            assertThatThrownBy(log::checkpoint)
                    .isInstanceOf(LogDamagedException.class)
                    .hasMessageContaining("the checkpoint at index 2")
                    .hasMessageContaining("none");
        }
    }

    @Test
    void aClosedLogTakesNeitherCheckpointsNorTruncations() throws Exception {
        MessageLog log = MessageLog.open(Logs.options(directory));
        log.close();
        assertThatThrownBy(() -> log.saveCheckpoint(0)).isInstanceOf(LogRefusedException.Closed.class);
        assertThatThrownBy(() -> log.truncateBefore(1)).isInstanceOf(LogRefusedException.Closed.class);
        assertThatThrownBy(log::checkpoint).isInstanceOf(LogRefusedException.Closed.class);
    }

    @Test
    void aCheckpointThatStandsForDroppedRecordsMustBeThere() throws Exception {
        byte[] older = fillAndDrop();
        Path file = directory.resolve(CheckpointFile.NAME);
        byte[] current = Files.readAllBytes(file);

        Files.delete(file);
        assertDamaged("the checkpoint at index 12 or a later one", "no such file");
        Files.write(file, older);
        assertDamaged("the checkpoint at index 12 or a later one", "one at index 2");
        current[70] ^= 1;
        Files.write(file, current);
        assertDamaged("a state with crc", "bytes that give");
    }

    @Test
    void theLogMustReachItsCheckpoint() throws Exception {
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            Logs.appendTexts(log, 1, 5);
        }
        Path earlier = Logs.copyAsAfterKill(directory, directory.resolve("earlier"));
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            Logs.appendTexts(log, 6, 7);
            log.saveCheckpoint(7);
        }
        Files.copy(directory.resolve(CheckpointFile.NAME), earlier.resolve(CheckpointFile.NAME));
        assertThatThrownBy(() -> MessageLog.open(Logs.options(earlier)))
                .isInstanceOf(LogDamagedException.class)
                .hasMessageContaining(
                        "record 6, acknowledged as durable (log.checkpoint holds the effect of all up to 7)");
    }

    @Test
    void theCheckpointOfAnotherLogIsRefused() throws Exception {
        Path other = Files.createDirectory(directory.resolve("other"));
        for (Path log : new Path[] {directory, other}) {
            try (MessageLog open = MessageLog.open(Logs.options(log))) {
                open.saveCheckpoint(0);
            }
        }
        Files.delete(directory.resolve(CheckpointFile.NAME));
        Files.copy(other.resolve(CheckpointFile.NAME), directory.resolve(CheckpointFile.NAME));
        assertDamaged("log id", "a checkpoint of another log");
    }

    @Test
    void withoutItsHeadALogWithACheckpointOrLaterSegmentsIsNotTakenForANewOne() throws Exception {
        fillAndDrop();
        Files.delete(directory.resolve(HeadFile.NAME));
        assertDamaged("this file, because there is a checkpoint", "no such file");
        Files.delete(directory.resolve(CheckpointFile.NAME));
        assertDamaged("this file, because there is 000", "no such file");
    }

    /** Several segments, two checkpoints, the first segments dropped. Returns the first checkpoint's file. */
    private byte[] fillAndDrop() throws Exception {
        byte[] older;
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            for (int i = 1; i <= 12; i++) {
                log.appendAndWait(Logs.bytes(15_000, i));
                if (i == 2) {
                    log.saveCheckpoint(2, Logs.text("a state"));
                }
            }
            older = Files.readAllBytes(directory.resolve(CheckpointFile.NAME));
            log.saveCheckpoint(12, Logs.text("another state"));
            assertThat(log.truncateBefore(13)).isGreaterThan(3);
        }
        return older;
    }

    private void assertDamaged(String expected, String found) {
        assertThatThrownBy(() -> MessageLog.open(Logs.options(directory)))
                .isInstanceOf(LogDamagedException.class)
                .hasMessageContaining(expected)
                .hasMessageContaining(found);
    }

    private static String text(Checkpoint checkpoint) {
        ByteBuffer state = checkpoint.state();
        return StandardCharsets.UTF_8.decode(state).toString();
    }
}
