package io.plog.simdisk;

import static io.plog.simdisk.SimulatedDiskTest.pattern;
import static io.plog.simdisk.SimulatedDiskTest.stableFile;
import static io.plog.simdisk.SimulatedDiskTest.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fixture itself: each fault and each damage does what it says. */
class SimulatedFaultsTest {
    private static final String NAME = "file";

    @Test
    void aFaultIsArmedForWhatIsToCome() {
        Faults faults = new SimulatedDisk(512).faults();
        List<LongConsumer> all = List.of(
                n -> faults.runAtOperation(n, () -> {}),
                faults::crashAtOperation,
                faults::failOperation,
                faults::failWrite,
                faults::failForce,
                faults::failForcePartly);
        for (LongConsumer fault : all) {
            assertThatThrownBy(() -> fault.accept(0)).hasMessage("n is 0: expected 1 or more; 1 is the next");
            fault.accept(1);
        }
    }

    @Test
    void aFailedForceMarksCleanWhatTheDeviceDoesNotHave() throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512);
        Storage.FileHandle file = stableFile(disk, 1024);
        write(file, 0, pattern(1024, 7));
        disk.faults().failForce(1);
        assertThatThrownBy(() -> file.force(false))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Input/output");
        assertThat(disk.faults().failedForces()).isEqualTo(1);
        assertThat(disk.bytes(NAME)).as("still readable").isEqualTo(pattern(1024, 7));
        file.force(false);
        for (long seed = 0; seed < 20; seed++) {
            assertThat(disk.copy().afterCrash(seed).bytes(NAME)).isEqualTo(new byte[1024]);
        }
        // Written again, a sector is dirty again as a whole, and the next force does help it.
        write(file, 0, pattern(1, 7));
        file.force(false);
        byte[] half = Arrays.copyOf(Arrays.copyOf(pattern(1024, 7), 512), 1024);
        assertThat(disk.afterCrash(1).bytes(NAME)).isEqualTo(half);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPartlyFailedForceMakesSomeSectorsStable(boolean asOperation) throws Exception {
        Set<Integer> survived = new HashSet<>();
        for (long seed = 0; seed < 60; seed++) {
            SimulatedDisk disk = new SimulatedDisk(512, seed);
            Storage.FileHandle file = stableFile(disk, 4 * 512);
            write(file, 0, pattern(4 * 512, 1));
            if (asOperation) {
                disk.faults().failOperation(1);
            } else {
                disk.faults().failForcePartly(1);
            }
            assertThatThrownBy(() -> file.force(false)).isInstanceOf(IOException.class);
            byte[] bytes = disk.afterCrash(seed).bytes(NAME);
            int sectors = 0;
            for (int sector = 0; sector < 4; sector++) {
                sectors += bytes[sector * 512 + 1] == 0 ? 0 : 1;
            }
            survived.add(sectors);
        }
        assertThat(survived).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
    }

    @Test
    void aWriteWithDsyncIsStableWhenItReturnsAndAFailedOneIsAFailedForce() throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512);
        stableFile(disk, 512).close();
        Storage.FileHandle file = disk.open(NAME, Storage.Access.WRITE_DSYNC);
        write(file, 0, pattern(512, 1));
        assertThat(disk.isStable(NAME)).isTrue();
        disk.faults().failForce(1);
        assertThatThrownBy(() -> write(file, 0, pattern(512, 2))).isInstanceOf(IOException.class);
        assertThat(disk.bytes(NAME)).isEqualTo(pattern(512, 2));
        assertThat(disk.afterCrash(1).bytes(NAME)).isEqualTo(pattern(512, 1));
    }

    @Test
    void aDirectWriteMustBeAlignedAndAFailedOneShowsWhatTheDeviceHas() throws Exception {
        SimulatedDisk disk = new SimulatedDisk(4096, 1);
        stableFile(disk, 8192).close();
        Storage.FileHandle file = disk.open(NAME, Storage.Access.WRITE_DIRECT);
        ByteBuffer block =
                ByteBuffer.allocateDirect(3 * 4096).alignedSlice(4096).limit(4096);
        assertThatThrownBy(() -> write(file, 0, ByteBuffer.allocate(4096))).hasMessageContaining("unaligned");
        assertThatThrownBy(() -> write(file, 0, block.duplicate().limit(100))).hasMessageContaining("unaligned");
        assertThatThrownBy(() -> write(file, 512, block.duplicate())).hasMessageContaining("unaligned");
        block.put(0, (byte) 1);
        write(file, 0, block.duplicate());
        assertThat(disk.isStable(NAME)).isTrue();
        block.put(0, (byte) 2);
        disk.faults().failForce(1);
        assertThatThrownBy(() -> write(file, 0, block.duplicate())).isInstanceOf(IOException.class);
        assertThat(disk.bytes(NAME)).isEqualTo(disk.afterCrash(3).bytes(NAME));
    }

    @Test
    void theNthWriteFailsOnce() throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512);
        Storage.FileHandle file = stableFile(disk, 0);
        disk.faults().failWrite(2);
        write(file, 0, pattern(10, 1));
        assertThatThrownBy(() -> write(file, 10, pattern(10, 1))).hasMessageContaining("Input/output");
        write(file, 10, pattern(10, 1));
        assertThat(disk.faults().failedWrites()).isEqualTo(1);
    }

    @Test
    void anyOperationCanBeMadeToFail() throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512);
        stableFile(disk, 10).close();
        disk.faults().failOperation(2);
        disk.forceDirectory();
        assertThatThrownBy(() -> disk.rename(NAME, "other")).hasMessageContaining("Input/output");
        assertThat(disk.faults().failedOperations()).isEqualTo(1);
        assertThat(disk.files()).hasSize(1);
    }

    @Test
    void shortWritesAreShort() throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512);
        Storage.FileHandle file = stableFile(disk, 0);
        disk.faults().writeAtMost(7);
        ByteBuffer[] sources = {ByteBuffer.wrap(pattern(5, 1)), ByteBuffer.wrap(pattern(5, 2))};
        assertThat(file.write(sources, 0, 2, 0)).isEqualTo(7);
        assertThat(sources[1].remaining()).isEqualTo(3);
        assertThat(file.size()).isEqualTo(7);
        write(file, 7, sources);
        assertThat(file.size()).isEqualTo(10);
    }

    @Test
    void withoutSpaceAWriteIsShortFirstAndFailsThen() throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512);
        Storage.FileHandle file = stableFile(disk, 100);
        disk.faults().leaveSpace(50);
        write(file, 0, pattern(100, 1)); // overwriting needs no space
        ByteBuffer source = ByteBuffer.wrap(pattern(80, 2));
        assertThat(file.write(new ByteBuffer[] {source}, 0, 1, 100)).isEqualTo(50);
        assertThatThrownBy(() -> file.write(new ByteBuffer[] {source}, 0, 1, 150))
                .hasMessageContaining("No space left");
        assertThat(disk.faults().refusedForSpace()).isEqualTo(1);
        disk.delete(NAME);
        try (Storage.FileHandle other = disk.create("other")) {
            write(other, 0, pattern(150, 1)); // what was deleted is free
        }
        disk.faults().giveSpaceBack();
        try (Storage.FileHandle large = disk.create("large")) {
            write(large, 0, pattern(100_000, 1));
        }
    }

    @Test
    void whereOverwritingTakesSpaceItRunsOutToo() throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512);
        Storage.FileHandle file = stableFile(disk, 100);
        disk.faults().leaveSpaceForWrites(60);
        ByteBuffer source = ByteBuffer.wrap(pattern(100, 2));
        assertThat(file.write(new ByteBuffer[] {source}, 0, 1, 0)).isEqualTo(60);
        assertThatThrownBy(() -> file.write(new ByteBuffer[] {source}, 0, 1, 60))
                .hasMessageContaining("No space left");
    }

    @Test
    void atRestEachDamageDoesWhatItSays() throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512);
        Storage.FileHandle file = stableFile(disk, 2048);
        for (int version = 1; version <= 3; version++) {
            write(file, 512, pattern(512, version));
            file.force(false);
        }
        assertThat(disk.damage().earlierContents(NAME, 1)).isEqualTo(3);
        disk.damage().makeStale(NAME, 1, 2);
        assertThat(sector(disk, 1)).isEqualTo(pattern(512, 2));
        disk.damage().makeStale(NAME, 1, 0);
        assertThat(sector(disk, 1)).isEqualTo(new byte[512]);
        write(file, 512, pattern(512, 4));
        file.force(false);
        disk.damage().misdirect(NAME, 1, NAME, 3);
        assertThat(sector(disk, 1)).as("what it held before").isNotEqualTo(pattern(512, 4));
        assertThat(sector(disk, 3)).isEqualTo(pattern(512, 4));
        disk.damage().flipBit(NAME, 8L * 3 * 512 + 9);
        assertThat(sector(disk, 3)[1]).isEqualTo((byte) (pattern(512, 4)[1] ^ 2));
        disk.damage().zero(NAME, 3 * 512, 512);
        assertThat(sector(disk, 3)).isEqualTo(new byte[512]);
        disk.damage().overwrite(NAME, 1, new byte[] {9});
        assertThat(disk.bytes(NAME)[1]).isEqualTo((byte) 9);
        disk.damage().truncate(NAME, 700);
        assertThat(disk.bytes(NAME)).hasSize(700);
        disk.damage().truncate(NAME, 1500);
        assertThat(disk.bytes(NAME)).hasSize(1500).endsWith(new byte[800]);
        disk.damage().copy(NAME, "copy");
        disk.damage().delete(NAME);
        disk.damage().replace("new", pattern(600, 1));
        SimulatedDisk after = disk.afterCrash(1);
        assertThat(after.files()).containsExactly("copy", "new");
        assertThat(after.bytes("copy")).hasSize(1500);
        assertThat(after.bytes("new")).isEqualTo(pattern(600, 1));
    }

    @Test
    void aWriteThatGoesAstrayTakesAllItsSectorsButNoLaterWrite() throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512);
        Storage.FileHandle file = stableFile(disk, 4096);
        write(file, 512, pattern(1024, 1));
        file.force(false);
        write(file, 3072, pattern(512, 2));
        file.force(false);
        assertThat(disk.damage().writtenTogether(NAME, 1)).isEqualTo(2);
        assertThat(disk.damage().writtenTogether(NAME, 2)).isOne();
        disk.damage().misdirectTogether(NAME, 1, NAME, 5);
        assertThat(sector(disk, 1)).isEqualTo(sector(disk, 2)).isEqualTo(new byte[512]);
        assertThat(sector(disk, 5)).isEqualTo(Arrays.copyOf(pattern(1024, 1), 512));
        assertThat(sector(disk, 6)).as("written later").isEqualTo(pattern(512, 2));
    }

    private static byte[] sector(SimulatedDisk disk, int sector) throws IOException {
        return Arrays.copyOfRange(disk.bytes(NAME), sector * 512, (sector + 1) * 512);
    }
}
