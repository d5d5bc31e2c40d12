package io.plog.simdisk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.storage.LogLockedException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fixture itself: a simulated disk that loses nothing would make every crash test worthless. */
class SimulatedDiskTest {
    private static final String NAME = "file";

    @Test
    void whatWasForcedSurvivesEveryCrash() throws Exception {
        for (long seed = 0; seed < 200; seed++) {
            SimulatedDisk disk = new SimulatedDisk(512, seed);
            try (Storage.FileHandle file = stableFile(disk, 4096)) {
                write(file, 700, pattern(2000, 3));
                file.force(false);
            }
            byte[] expected = disk.bytes(NAME);
            SimulatedDisk after = disk.afterCrash(seed);
            assertThat(after.bytes(NAME)).isEqualTo(expected);
            assertThat(after.isStable(NAME)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 4096})
    void ofUnforcedSectorsEverySubsetSurvivesSomeCrash(int sectorBytes) throws Exception {
        SimulatedDisk disk = new SimulatedDisk(sectorBytes);
        try (Storage.FileHandle file = stableFile(disk, 4 * sectorBytes)) {
            write(file, 0, pattern(4 * sectorBytes, 1));
        }
        assertThat(disk.isStable(NAME)).isFalse();
        Set<Integer> subsets = new HashSet<>();
        for (long seed = 0; seed < 400; seed++) {
            byte[] bytes = disk.afterCrash(seed).bytes(NAME);
            int subset = 0;
            for (int sector = 0; sector < 4; sector++) {
                byte[] found = Arrays.copyOfRange(bytes, sector * sectorBytes, (sector + 1) * sectorBytes);
                byte[] written = Arrays.copyOfRange(
                        pattern(4 * sectorBytes, 1), sector * sectorBytes, (sector + 1) * sectorBytes);
                boolean survived = Arrays.equals(found, written);
                assertThat(survived || Arrays.equals(found, new byte[sectorBytes]))
                        .as("a sector is there as a whole, or not at all")
                        .isTrue();
                subset |= survived ? 1 << sector : 0;
            }
            subsets.add(subset);
        }
        assertThat(subsets).hasSize(16);
    }

    @Test
    void anUnforcedLengthMayBeTheOldTheNewOrOneBetween() throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512);
        try (Storage.FileHandle file = stableFile(disk, 1000)) {
            write(file, 1000, pattern(3000, 2));
        }
        Set<Integer> lengths = new HashSet<>();
        for (long seed = 0; seed < 100; seed++) {
            lengths.add(disk.afterCrash(seed).bytes(NAME).length);
        }
        assertThat(lengths).contains(1000, 4000).hasSizeGreaterThan(10).allMatch(n -> n >= 1000 && n <= 4000);
    }

    @Test
    void unforcedNamesGetLostAndForcedOnesDoNot() throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512);
        stableFile(disk, 10).close();
        disk.create("created").close();
        disk.rename(NAME, "renamed");
        Set<List<String>> directories = new HashSet<>();
        for (long seed = 0; seed < 200; seed++) {
            SimulatedDisk after = disk.afterCrash(seed);
            directories.add(after.files());
        }
        assertThat(directories)
                .containsExactlyInAnyOrder(
                        List.of(NAME), List.of("renamed"), List.of("created", NAME), List.of("created", "renamed"));

        SimulatedDisk again = new SimulatedDisk(512);
        stableFile(again, 10).close();
        again.delete(NAME);
        again.forceDirectory();
        for (long seed = 0; seed < 50; seed++) {
            assertThat(again.afterCrash(seed).files()).isEmpty();
        }
    }

    @Test
    void aNewDirectoryMayVanishUntilItsParentIsForced() throws Exception {
        for (boolean forced : new boolean[] {false, true}) {
            SimulatedDisk disk = new SimulatedDisk(512).inNewDirectory();
            stableFile(disk, 10).close();
            if (forced) {
                disk.forceParentDirectory();
            }
            Set<List<String>> found = new HashSet<>();
            for (long seed = 0; seed < 50; seed++) {
                found.add(disk.afterCrash(seed).files());
            }
            assertThat(found).hasSize(forced ? 1 : 2);
        }
    }

    @Test
    void aKillOfTheProcessLosesNothingAndTheNextPowerCutMay() throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512);
        Storage.FileHandle file = stableFile(disk, 512);
        write(file, 0, pattern(512, 5));
        SimulatedDisk after = disk.afterKill();
        assertThat(after.bytes(NAME)).isEqualTo(pattern(512, 5));
        assertThatThrownBy(() -> file.force(true)).isInstanceOf(PowerLostException.class);
        Set<Byte> firstBytes = new HashSet<>();
        for (long seed = 0; seed < 50; seed++) {
            firstBytes.add(after.afterCrash(seed).bytes(NAME)[0]);
        }
        assertThat(firstBytes).containsExactlyInAnyOrder((byte) 0, pattern(512, 5)[0]);
    }

    @Test
    void aCrashHitsTheNthChangingOperationAndAllThatComesLater() throws Exception {
        for (int n = 1; n <= 5; n++) {
            SimulatedDisk disk = new SimulatedDisk(512).keepTrace();
            disk.faults().crashAtOperation(n);
            int done = 0;
            try (Storage.FileHandle file = disk.create(NAME)) {
                done++;
                write(file, 0, pattern(10, 1));
                done++;
                file.force(true);
                done++;
                disk.rename(NAME, "other");
                done++;
                disk.forceDirectory();
                done++;
            } catch (PowerLostException expected) {
                assertThat(disk.hasCrashed()).isTrue();
            }
            assertThat(done).isEqualTo(n - 1);
            assertThat(disk.operations()).isEqualTo(n);
            assertThat(List.of(
                            "create file",
                            "write file at 0, 10 bytes",
                            "fsync file",
                            "rename file to other",
                            "force directory"))
                    .startsWith(disk.trace().toArray(new String[0]));
            assertThatThrownBy(disk::list).isInstanceOf(PowerLostException.class);
        }
    }

    @Test
    void anInterruptedWriteIsThereInPartOnly() throws Exception {
        Set<Integer> written = new HashSet<>();
        for (long seed = 0; seed < 60; seed++) {
            SimulatedDisk disk = new SimulatedDisk(512, seed);
            Storage.FileHandle file = stableFile(disk, 0);
            disk.faults().crashAtOperation(1);
            assertThatThrownBy(() -> write(file, 0, pattern(3000, 1))).isInstanceOf(PowerLostException.class);
            written.add(disk.afterKill().bytes(NAME).length);
        }
        assertThat(written).contains(0, 3000).hasSizeGreaterThan(5);
    }

    @Test
    void aCopySharesNothingWithItsOriginal() throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512);
        Storage.FileHandle file = stableFile(disk, 512);
        SimulatedDisk copy = disk.copy();
        write(file, 0, pattern(512, 1));
        file.force(false);
        copy.damage().flipBit(NAME, 0);
        assertThat(copy.bytes(NAME)[0]).isEqualTo((byte) 1);
        assertThat(disk.bytes(NAME)).isEqualTo(pattern(512, 1));
    }

    @Test
    void itIsAsStrictAsARealDirectory() throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512);
        Storage.FileHandle file = stableFile(disk, 10);
        assertThat(disk.openFiles()).isEqualTo(1);
        file.close();
        file.close();
        assertThat(disk.openFiles()).isZero();
        assertThatThrownBy(() -> file.force(true)).isInstanceOf(java.nio.channels.ClosedChannelException.class);
        assertThatThrownBy(() -> disk.create(NAME)).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> disk.open("none", Storage.Access.READ)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> disk.rename("none", "some")).isInstanceOf(NoSuchFileException.class);
        disk.delete("none"); // no failure, see Storage
        assertThatThrownBy(() -> write(disk.open(NAME, Storage.Access.READ), 0, pattern(1, 1)))
                .isInstanceOf(java.nio.channels.NonWritableChannelException.class);
        java.io.Closeable lock = disk.lock("lock");
        assertThatThrownBy(() -> disk.lock("lock")).isInstanceOf(LogLockedException.class);
        lock.close();
        disk.lock("lock").close();
    }

    static Storage.FileHandle stableFile(SimulatedDisk disk, int bytes) throws IOException {
        Storage.FileHandle file = disk.create(NAME);
        write(file, 0, new byte[bytes]);
        file.force(true);
        disk.forceDirectory();
        return file;
    }

    static void write(Storage.FileHandle file, long position, byte[] bytes) throws IOException {
        write(file, position, new ByteBuffer[] {ByteBuffer.wrap(bytes)});
    }

    /** Continues after short writes. */
    static void write(Storage.FileHandle file, long position, ByteBuffer... sources) throws IOException {
        long at = position;
        for (int i = 0; i < sources.length; i++) {
            while (sources[i].hasRemaining()) {
                at += file.write(sources, i, sources.length - i, at);
            }
        }
    }

    static byte[] pattern(int bytes, int seed) {
        byte[] pattern = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            pattern[i] = (byte) (1 + (i * 7 + seed * 31) % 255);
        }
        return pattern;
    }
}
