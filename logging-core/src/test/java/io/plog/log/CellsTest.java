package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.ModelledLog.Opening;
import io.plog.log.file.CellsFile;
import io.plog.log.file.DiskStorage;
import io.plog.log.file.HeadFile;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogRefusedException;
import io.plog.log.storage.Storage;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A few small values beside the log. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CellsTest {
    private static final int COPY_BYTES = 17 * 4096; // docs/log-format.md

    @TempDir
    Path directory;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String cell(DurableLog log, String name) throws LogException {
        return log.cell(name)
                .map(value -> new String(value, StandardCharsets.US_ASCII))
                .orElse("none");
    }

    @Test
    void cellsAreThereAfterARestartWhateverWasCutAndAnEmptyValueRemovesOne() throws Exception {
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            assertThat(cell(log, "term")).isEqualTo("none");
            log.putCell("term", new byte[0]);
            log.putCell("term", bytes("7"));
            log.putCell("vote", bytes("node 3"));
            log.putCell("gone", bytes("x"));
            log.putCell("gone", new byte[0]);
            log.putCell("term", bytes("8"));
            log.appendAndWait(ByteBuffer.allocate(10));
            log.truncateAfter(0);
            log.reset(100);
        }
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            assertThat(cell(log, "term")).isEqualTo("8");
            assertThat(cell(log, "vote")).isEqualTo("node 3");
            assertThat(cell(log, "gone")).isEqualTo("none");
        }
    }

    @Test
    void aCellThatIsTooManyOrTooLargeIsNamedWithItsBound() throws Exception {
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            for (int i = 0; i < 16; i++) {
                log.putCell("cell " + i, new byte[4096]);
            }
            assertThatThrownBy(() -> log.putCell("one more", new byte[1]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("cell 'one more' would be one of 17: expected at most 16");
            assertThatThrownBy(() -> log.putCell("cell 1", new byte[4097]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("cell 'cell 1' with 4097 bytes: expected at most 4096");
            for (String name : List.of("", "a".repeat(33), "tèrm", "line\n")) {
                assertThatThrownBy(() -> log.putCell(name, new byte[1]))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("a cell named '" + name + "': expected 1 to 32 printable ASCII characters");
            }
            assertThat(log.cell("cell 15"))
                    .hasValueSatisfying(value -> assertThat(value).hasSize(4096));
        }
        assertThat(LogTools.inspect(directory).damage()).isEmpty();
    }

    @Test
    void aPutForcesTwiceAndNothingElse() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        try (MessageLog log = MessageLog.open(Logs.options(directory), storage)) {
            log.putCell("term", bytes("1"));
            int before = storage.events().size();
            log.putCell("term", bytes("2"));
            List<String> put = storage.events().subList(before, storage.events().size()).stream()
                    .filter(event -> event.endsWith(CellsFile.NAME))
                    .toList();
            String name = CellsFile.NAME;
            assertThat(put)
                    .containsExactly(
                            "open " + name, "write " + name, "fdatasync " + name, "write " + name, "fdatasync " + name);
        }
    }

    @Test
    void aForceThatFailsFailsTheLogAndAClosedOneTakesNoCell() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        MessageLog log = MessageLog.open(Logs.options(directory), storage);
        log.putCell("term", bytes("1"));
        storage.hook((operation, file) -> {
            if (operation.equals("fdatasync") && file.equals(CellsFile.NAME)) {
                throw new IOException("the device is gone");
            }
        });
        assertThatThrownBy(() -> log.putCell("term", bytes("2"))).isInstanceOf(LogFailedException.class);
        assertThatThrownBy(() -> log.cell("term")).isInstanceOf(LogFailedException.class);
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
        MessageLog again = MessageLog.open(Logs.options(directory));
        assertThat(cell(again, "term")).isEqualTo("2");
        again.close();
        assertThatThrownBy(() -> again.putCell("term", bytes("3"))).isInstanceOf(LogRefusedException.Closed.class);
        assertThatThrownBy(() -> again.cell("term")).isInstanceOf(LogRefusedException.Closed.class);
    }

    private static ModelledLog withCells() throws IOException {
        ModelledLog log = new ModelledLog(new SimulatedDisk(512), 1);
        log.open(Opening.of(Force.FDATASYNC));
        log.append(10);
        log.putCell("term", 8);
        log.putCell("vote", 30);
        log.close();
        return log;
    }

    @Test
    void oneDamagedCopyIsNotedAndMendedAndTwoStop() throws Exception {
        ModelledLog log = withCells();
        for (int place = 0; place < 2; place++) {
            int other = (1 - place) * COPY_BYTES;
            log.disk().damage().zero(CellsFile.NAME, place * COPY_BYTES, 512);
            assertThat(LogTools.inspect(log.disk()).notes())
                    .contains("log.cells: one of its two copies is older or damaged; the other one counts");
            log.open(Opening.of(Force.FDATASYNC));
            log.close();
            assertThat(LogTools.inspect(log.disk()).notes()).isEmpty();
            assertThat(log.disk().bytes(CellsFile.NAME)[other]).isEqualTo((byte) 'P');
        }
        log.disk().damage().zero(CellsFile.NAME, 0, 512);
        log.disk().damage().flipBit(CellsFile.NAME, 8L * (COPY_BYTES + 70));
        assertThatThrownBy(() -> log.open(Opening.of(Force.FDATASYNC)))
                .isInstanceOf(LogDamagedException.class)
                .hasMessageContaining("file log.cells, offset 0");
        LogTools.RepairPlan plan = LogTools.planRepair(List.of(log.disk())).orElseThrow();
        assertThat(LogTools.repair(plan, List.of(log.disk()))).containsExactly("cut-log.cells-1.bin");
        try (MessageLog opened = MessageLog.open(Logs.options(directory), log.disk())) {
            assertThat(opened.cell("term")).isEmpty();
        }
    }

    @Test
    void aCopyOfWhichTheDiskLostTheLastWriteDoesNotCount() throws Exception {
        for (int place = 0; place < 2; place++) {
            ModelledLog log = withCells();
            int sector = place * COPY_BYTES / 512;
            int earlier = log.disk().damage().earlierContents(CellsFile.NAME, sector);
            assertThat(earlier).isPositive();
            log.disk().damage().makeStale(CellsFile.NAME, sector, earlier - 1);
            log.open(Opening.of(Force.FDATASYNC)); // and holds it against the model
            log.close();
        }
    }

    /** Each sector of a put, and each write of it as a whole, to each place of the file. */
    @ParameterizedTest
    @ValueSource(ints = {512, 4096})
    void aWriteToAWrongPlaceOfTheFileIsHarmlessOrAStop(int sectorBytes) throws Exception {
        for (int bytes : List.of(3900, 4000)) { // the last put takes a block more, as many
            ModelledLog log = new ModelledLog(new SimulatedDisk(sectorBytes), 1);
            log.open(Opening.of(Force.FDATASYNC));
            log.putCell("vote", 30);
            log.putCell("term", bytes);
            log.putCell("term", bytes);
            log.putCell("vote", 300);
            log.close();
            ByteBuffer acknowledged = value(log.disk(), "vote");
            int sectors = COPY_BYTES / sectorBytes;
            int written = log.disk().damage().writtenTogether(CellsFile.NAME, 0);
            for (int i = 0; i < 2 * written; i++) {
                int from = i % written + i / written * sectors;
                for (int to = 0; to < 2 * sectors; to++) {
                    SimulatedDisk one = log.disk().copy();
                    one.damage().misdirect(CellsFile.NAME, from, CellsFile.NAME, to);
                    SimulatedDisk together = log.disk().copy();
                    together.damage().misdirectTogether(CellsFile.NAME, from, CellsFile.NAME, to);
                    for (SimulatedDisk disk : List.of(one, together)) {
                        try {
                            assertThat(value(disk, "vote"))
                                    .as("sector %d of %d bytes to %d, cells of %d", from, sectorBytes, to, bytes)
                                    .isEqualTo(acknowledged);
                        } catch (LogDamagedException stop) {
                            assertThat(stop).hasMessageContaining("file log.cells");
                        }
                    }
                }
            }
        }
    }

    private static ByteBuffer value(SimulatedDisk disk, String name) throws IOException {
        return ByteBuffer.wrap(
                CellsFile.read(disk, HeadFile.read(disk)).values().get(name));
    }

    @Test
    void aMissingFileIsMissedAndACopyOfALogHasItsCells() throws Exception {
        ModelledLog log = withCells();
        SimulatedDisk copy = new SimulatedDisk(512);
        LogTools.copy(List.of(log.disk()), List.of(copy));
        assertThat(copy.bytes(CellsFile.NAME)).isEqualTo(log.disk().bytes(CellsFile.NAME));
        log.disk().delete(CellsFile.NAME);
        assertThat(LogTools.inspect(log.disk()).damage())
                .hasValueSatisfying(damage -> assertThat(damage)
                        .hasMessageContaining("expected this file, because log.head says that there are cells"));
    }

    @Test
    void cellsAreMissedAlsoBehindACutAndADrop() throws Exception {
        ModelledLog log = withCells();
        log.open(new Opening(Force.FDATASYNC, false, true));
        log.reset(5);
        log.close();
        assertThat(HeadFile.read(log.disk()).cells()).isTrue();
        log.open(new Opening(Force.FDATASYNC, false, true));
        for (int i = 0; i < 8; i++) {
            log.append(14_000);
        }
        log.truncateBefore(12);
        log.close();
        assertThat(HeadFile.read(log.disk()).firstIndex()).isGreaterThan(5);
        assertThat(HeadFile.read(log.disk()).cells()).isTrue();
    }

    /** They lie in its first directory. */
    @Test
    void cellsOfAStripedLogSurviveACrashAnywhere() throws Exception {
        LogOptions options = LogOptions.in(List.of(directory.resolve("a"), directory.resolve("b")))
                .withSegmentBytes(Logs.SEGMENT_BYTES)
                .withMaxRecordBytes(Logs.SEGMENT_BYTES / 4);
        boolean isCut = true;
        long firstIndex = 0;
        for (int operation = 1; isCut; operation++) {
            List<SimulatedDisk> disks = List.of(new SimulatedDisk(512, operation), new SimulatedDisk(512, operation));
            MessageLog.open(options, List.copyOf(disks)).close();
            disks.get(operation % 2).faults().crashAtOperation(operation);
            int[] put = {0, 0}; // done, and begun
            try (MessageLog log = MessageLog.open(options, List.copyOf(disks))) {
                for (int i = 1; i <= 3; i++) {
                    put[1] = i;
                    log.putCell("term", bytes("" + i));
                    put[0] = i;
                    for (int record = 0; record < 8; record++) {
                        log.appendAndWait(Logs.bytes(Logs.SEGMENT_BYTES / 5, i));
                    }
                    log.saveCheckpoint(log.durableIndex(), Logs.text("state"));
                    log.truncateBefore(log.durableIndex());
                }
            } catch (IOException expected) {
                assertThat(disks).anyMatch(SimulatedDisk::hasCrashed);
            }
            isCut = disks.get(operation % 2).hasCrashed();
            List<Storage> after =
                    List.of(disks.get(0).afterCrash(operation), disks.get(1).afterCrash(-operation));
            if (put[0] > 0) {
                assertThat(HeadFile.read(after.get(0)).cells())
                        .as("else they are not missed")
                        .isTrue();
            }
            try (MessageLog log = MessageLog.open(options, after)) {
                assertThat(cell(log, "term").replace("none", "0"))
                        .as("crash at operation %s", operation)
                        .isIn("" + put[0], "" + put[1]);
                firstIndex = log.firstIndex();
            }
        }
        assertThat(firstIndex).as("segments were dropped").isGreaterThan(8);
    }

    /** Which the page cache shows, though it may not be on the disk. */
    @Test
    void whatAKilledProcessWasPuttingStaysOnceItWasShown() throws Exception {
        for (int i = 0; i < 40; i++) {
            ModelledLog log = withCells();
            log.open(Opening.of(Force.FDATASYNC));
            putUntilACrash(log, 1 + i % 5);
            log.kill();
            log.disk().faults().crashAtOperation(i / 5 < 7 ? 4 + i / 5 : 1000);
            try {
                log.open(Opening.of(Force.FDATASYNC));
            } catch (IOException expected) {
                assertThat(log.disk().hasCrashed()).isTrue();
            }
            log.endProcess();
            log.checkPowerLosses(8, Force.FDATASYNC);
        }
    }

    private static void putUntilACrash(ModelledLog log, int operation) throws IOException {
        log.disk().faults().crashAtOperation(operation);
        try {
            log.putCell("term", 800);
        } catch (IOException expected) {
            assertThat(log.disk().hasCrashed()).isTrue();
        }
    }
}
