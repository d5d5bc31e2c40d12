package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.ModelledLog.Opening;
import io.plog.log.file.CheckpointFile;
import io.plog.log.file.HeadFile;
import io.plog.log.file.SegmentHeader;
import io.plog.log.storage.Force;
import io.plog.log.storage.NewerFormatException;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A newer format is no damage: each file says in its first bytes of which version it is, and this never changes. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class NewerFormatTest {
    private static SimulatedDisk log() throws IOException {
        ModelledLog log = new ModelledLog(new SimulatedDisk(512), 1);
        log.open(new Opening(Force.FDATASYNC, false, true));
        for (int i = 0; i < 3; i++) {
            log.append(14_000, 300);
        }
        log.saveCheckpoint(4, 300);
        log.close();
        return log.disk();
    }

    /** Gives a file another version, and a check that is right for it. */
    private static void setVersion(SimulatedDisk disk, String name, int version) throws IOException {
        byte[] bytes = disk.bytes(name);
        ByteBuffer header = ByteBuffer.wrap(bytes, 0, 64).putInt(8, version).putInt(12, 0);
        CRC32C crc = new CRC32C();
        crc.update(header);
        header.putInt(12, (int) crc.getValue());
        disk.damage().overwrite(name, 0, bytes);
    }

    @Test
    void aFileOfANewerFormatIsNoDamage() throws Exception {
        SimulatedDisk intact = log();
        List<String> files = intact.files().stream()
                .filter(name -> SegmentHeader.numberOf(name) > 0
                        || name.equals(HeadFile.NAME)
                        || name.equals(CheckpointFile.NAME))
                .toList();
        assertThat(files).hasSizeGreaterThan(4); // one segment is a prepared one
        LogTools.RepairPlan plan = planOf(intact);
        for (String name : files) {
            for (int version : new int[] {3, 77, -1}) {
                SimulatedDisk disk = intact.copy();
                setVersion(disk, name, version);
                long operations = disk.operations();
                refuses(name, () -> MessageLog.open(Logs.options(Path.of("simulated")), disk));
                refuses(name, () -> LogTools.inspect(disk));
                refuses(name, () -> LogTools.planRepair(List.of(disk)));
                refuses(name, () -> LogTools.repair(plan, List.of(disk)));
                assertThat(disk.operations())
                        .as("operations that change something")
                        .isEqualTo(operations);
            }
        }
    }

    /** Of damage in a copy. */
    private static LogTools.RepairPlan planOf(SimulatedDisk intact) throws IOException {
        SimulatedDisk damaged = intact.copy();
        damaged.damage().zero(SegmentHeader.fileName(1), SegmentHeader.BLOCK_BYTES, 512);
        return LogTools.planRepair(List.of(damaged)).orElseThrow();
    }

    @Test
    void aSegmentOfANewerFormatIsNotTakenForTheRemainsOfACreation() throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512);
        MessageLog.open(Logs.options(Path.of("simulated")), disk).close();
        for (String name : disk.files()) {
            if (!name.equals(SegmentHeader.fileName(1))) {
                disk.damage().delete(name);
            }
        }
        setVersion(disk, SegmentHeader.fileName(1), 3);
        refuses(SegmentHeader.fileName(1), () -> MessageLog.open(Logs.options(Path.of("simulated")), disk));
    }

    private static void refuses(String file, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(NewerFormatException.class)
                .hasMessageContaining(file + " was written by a newer plog")
                .hasMessageContaining("Nothing is wrong with it");
    }

    @Test
    void aVersionBelowTheFirstIsDamage() throws Exception {
        for (String name : List.of(HeadFile.NAME, CheckpointFile.NAME, SegmentHeader.fileName(1))) {
            SimulatedDisk disk = log();
            setVersion(disk, name, 0);
            assertThat(LogTools.inspect(disk).damage()).as(name).isPresent();
        }
    }
}
