package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.file.HeadFile;
import io.plog.log.file.LogFiles;
import io.plog.log.file.SegmentHeader;
import io.plog.log.segment.LogAnalysis;
import io.plog.log.segment.SegmentState;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.testing.Parallel;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Damage to one of the disks of a striped log at rest, of which some intact mark says that all of it is durable. It is
 * answered by everything, or by a stop that names the directory and the file and changes nothing; never silently by less.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class StripeDamageTest {
    private static final int SECTOR_BYTES = 512;
    private static final int DISKS = 3;

    private final LongAdder whole = new LongAdder();
    private final LongAdder stopped = new LongAdder();

    /** Several segments on each of three disks, a dropped prefix and a checkpoint; closed in order. */
    private static StripedLog closed() throws IOException {
        StripedLog log = new StripedLog(DiskArray.of(DISKS, SECTOR_BYTES, 1), 1);
        log.open(Force.FSYNC, 2);
        for (int i = 0; i < 10; i++) {
            log.start(i % DISKS, 9000, 100, 9000, 2);
            log.finish();
        }
        log.saveCheckpointAndDrop();
        for (int i = 0; i < 6; i++) {
            log.start(i % DISKS, 300, 20, 5);
        }
        log.close();
        return log;
    }

    /** One mark, on one of the disks, says that all is durable; the process was killed. */
    private static StripedLog idle() throws IOException {
        StripedLog log = new StripedLog(DiskArray.of(DISKS, SECTOR_BYTES, 2), 2);
        log.open(Force.FSYNC, 0);
        for (int i = 0; i < 5; i++) {
            log.start(i % DISKS, 300, 700, 20);
            log.finish();
        }
        log.mark();
        return log.afterKill(1);
    }

    /** A mark and a closing mark stand in front of its last records, and one mark on one of the disks says that these are durable. */
    private static StripedLog openedAgain(int sectorBytes) throws IOException {
        StripedLog log = new StripedLog(DiskArray.of(DISKS, sectorBytes, 2), 2);
        log.open(Force.FSYNC, 0);
        log.start(0, 100);
        log.finish();
        log.mark();
        log.close();
        log.open(Force.FSYNC, 0);
        for (int i = 0; i < DISKS; i++) {
            log.start(i, 200, 40);
            log.finish();
        }
        log.mark();
        return log.afterKill(1);
    }

    private static List<StripedLog> logs() throws IOException {
        return List.of(closed(), idle());
    }

    private static List<StripedLog> openedAgain() throws IOException {
        int block = SegmentHeader.BLOCK_BYTES;
        return List.of(openedAgain(SECTOR_BYTES), openedAgain(block), tornOnTheSecond(openedAgain(block)));
    }

    /** The same, and behind the last record of the second disk, which has no mark, stands what is none. */
    private static StripedLog tornOnTheSecond(StripedLog log) throws IOException {
        SegmentState last = LogAnalysis.ofOpening(log.disks().storages(), false)
                .stripes()
                .get(1)
                .last();
        log.disks().disks().get(1).damage().overwrite(last.file(), last.endOffset(), new byte[] {1, 2, 3, 4});
        return log;
    }

    /** @param file the one that is to be named, and no disk but the damaged; null if others may be named with it */
    private void judge(StripedLog log, int disk, @Nullable String file, DiskDamage damage) {
        int number = disk + 1;
        try {
            StripedLog copy = log.copy(1);
            List<SimulatedDisk> disks = copy.disks().disks();
            damage.damaging().apply(disks.get(disk));
            List<Long> operations =
                    disks.stream().map(SimulatedDisk::operations).toList();
            try {
                copy.open(Force.FSYNC, 0);
                whole.increment();
            } catch (LogException stop) {
                assertThat(disks.stream().map(SimulatedDisk::operations).toList())
                        .as("operations that change something")
                        .isEqualTo(operations);
                assertThat(stop.getMessage()).contains("disk " + number);
                if (file != null && stop instanceof LogDamagedException stopAt) {
                    assertThat(stopAt.file()).as("%s", stopAt).isEqualTo(file);
                    assertThat(stopAt.stripe()).as("%s", stopAt).isEqualTo(number);
                }
                stopped.increment();
            }
        } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError("disk " + number + ", " + damage.what() + ": " + e, e);
        }
    }

    private static List<String> files(SimulatedDisk disk) {
        return disk.files().stream()
                .filter(file -> !file.startsWith(LogFiles.CUT_PREFIX))
                .toList();
    }

    private interface EachFile {
        void accept(StripedLog log, int disk, SimulatedDisk of, String file) throws IOException;
    }

    private void forEachFile(EachFile each) throws IOException {
        forEachFile(logs(), each);
    }

    private void forEachFile(List<StripedLog> logs, EachFile each) throws IOException {
        for (StripedLog log : logs) {
            for (int i = 0; i < DISKS; i++) {
                SimulatedDisk disk = log.disks().disks().get(i);
                for (String file : files(disk)) {
                    each.accept(log, i, disk, file);
                }
            }
        }
        System.out.println(whole + " times everything, " + stopped + " stops");
        assertThat(stopped.sum()).isPositive();
    }

    @Test
    void aMissingFileIsAnsweredByEverythingOrByExactWords() throws Exception {
        forEachFile((log, disk, of, file) -> judge(log, disk, file, DiskDamage.without(of, file)));
    }

    @Test
    void aTruncatedFileIsAnsweredByEverythingOrByExactWords() throws Exception {
        forEachFile((log, disk, of, file) -> {
            int length = DiskDamage.length(of, file);
            for (int bytes = 0; bytes < length; bytes += 1 + length / 40) {
                judge(log, disk, file, DiskDamage.cut(of, file, bytes));
            }
        });
    }

    @Test
    void aZeroedSectorIsAnsweredByEverythingOrByExactWords() throws Exception {
        forEachFile((log, disk, of, file) -> {
            int length = DiskDamage.length(of, file);
            for (int at = 0; at < length; at += SECTOR_BYTES) {
                judge(log, disk, file, DiskDamage.zeros(file, at, SECTOR_BYTES));
            }
        });
    }

    /** What one disk lacks may as well have stood on another, if neither has anything behind it. */
    @Test
    void aLostWriteIsAnsweredByEverythingOrByAStop() throws Exception {
        forEachFile(openedAgain(), (log, disk, of, file) -> {
            int length = DiskDamage.length(of, file);
            for (int sector = 0; sector * of.sectorBytes() < length; sector++) {
                for (int i = of.damage().earlierContents(file, sector) - 1; i >= 0; i--) {
                    judge(log, disk, null, DiskDamage.stale(of, file, sector, i));
                }
            }
        });
    }

    /** The last write of each sector goes to any of the others of the first blocks, which have all records that do not fill more. */
    @Test
    void aMisdirectedWriteIsAnsweredByEverythingOrByAStop() throws Exception {
        forEachFile(openedAgain(), (log, disk, of, file) -> {
            int sectors = Math.min(DiskDamage.length(of, file), 5 * SegmentHeader.BLOCK_BYTES) / of.sectorBytes();
            for (int from = 0; from < sectors; from++) {
                if (of.damage().earlierContents(file, from) > 0) {
                    int written = from;
                    Parallel.forEach(
                            sectors,
                            to -> judge(log, disk, null, DiskDamage.misdirected(of, file, written, file, (int) to)));
                }
            }
        });
    }

    /** Some of the bits; all, below, with {@code mvn -pl logging-core test -Dtest=StripeDamageTest -Dplog.test.excludedGroups=}. */
    @Test
    void aFlippedBitIsAnsweredByEverythingOrByExactWords() throws Exception {
        flip(6000, 13);
    }

    @Test
    @Tag("slow")
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void anyFlippedBitIsAnsweredByEverythingOrByExactWords() throws Exception {
        flip(7, 5);
    }

    /** Every so many bits, from a random one on, and more of them where the headers are. */
    private void flip(int step, int stepInHeaders) throws Exception {
        long seed = Long.getLong("plog.damage.seed", new SplittableRandom().nextLong());
        System.out.println("damage from seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        forEachFile((log, disk, of, file) -> {
            int length = DiskDamage.length(of, file);
            List<Long> bits = new ArrayList<>();
            for (long bit = random.nextInt(step); bit < 8L * length; bit += bit < 8L * 64 ? stepInHeaders : step) {
                bits.add(bit);
            }
            Parallel.forEach(bits.size(), i -> judge(log, disk, file, DiskDamage.bit(file, bits.get((int) i))));
        });
    }

    @Test
    void aFileInThePlaceOfAnotherIsAnsweredByEverythingOrByExactWords() throws Exception {
        forEachFile((log, disk, of, file) -> {
            for (int other = 0; other < DISKS; other++) {
                SimulatedDisk from = log.disks().disks().get(other);
                for (String name : files(from)) {
                    if (other != disk || !name.equals(file)) {
                        judge(log, disk, file, DiskDamage.replaced(of, file, from, name));
                    }
                }
            }
        });
    }

    /** A disk that comes back as it was some time ago, or comes back empty. */
    @Test
    void aDiskThatIsNotWhatItWasIsNoticed() throws Exception {
        StripedLog log = new StripedLog(DiskArray.of(DISKS, SECTOR_BYTES, 3), 3);
        log.open(Force.FSYNC, 0);
        for (int i = 0; i < DISKS; i++) {
            log.start(i, 100, 100);
        }
        log.close();
        StripedLog before = log.copy(3);
        log.open(Force.FSYNC, 0);
        for (int i = 0; i < DISKS; i++) {
            log.start(i, 100, 100);
        }
        log.close();
        for (int i = 0; i < DISKS; i++) {
            int disk = i;
            SimulatedDisk old = before.disks().disks().get(disk);
            DiskDamage stale = DiskDamage.of("as it was", copy -> {
                for (String file : files(old)) {
                    copy.damage().replace(file, old.bytes(file));
                }
            });
            judge(log, disk, SegmentHeader.fileName(1), stale);
            DiskDamage empty = DiskDamage.of("empty", copy -> {
                for (String file : copy.files()) {
                    copy.damage().delete(file);
                }
            });
            judge(log, disk, HeadFile.NAME, empty);
        }
        assertThat(stopped.sum()).isEqualTo(2L * DISKS);
    }
}
