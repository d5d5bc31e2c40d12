package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.ModelledLog.Opening;
import io.plog.log.file.SegmentHeader;
import io.plog.log.segment.LogAnalysis;
import io.plog.log.segment.SegmentState;
import io.plog.log.storage.Force;
import io.plog.log.storage.Storage;
import io.plog.log.testing.BadSectors;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One bad sector takes no acknowledged record without a word, wherever the record stands, in files that are used again, too. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class BadSectorTest {
    private static final int SECTOR_BYTES = 512;

    /** Payloads of one group each; together their records begin and end in every part of a sector and of a block. */
    private static final int[][] GROUPS = {
        {0},
        {100},
        {3_400},
        {8},
        {480},
        {448},
        {4_064},
        {4_000},
        {0, 0, 0},
        {3_500},
        {40},
        {600, 20},
        {9_000},
        {24},
        {4_064, 4_064},
        {3_040},
        {0},
        {440},
        {1_000, 2_000, 500},
        {4_032},
        {4_056},
        {500},
        {8_160},
        {3_552},
        {0},
        {16},
        {12_000},
        {1},
        {3_900, 90}
    };

    @ParameterizedTest
    @EnumSource(
            value = Force.class,
            names = {"FDATASYNC", "DIRECT", "WRITE", "DSYNC"})
    void aBadSectorTakesNoAcknowledgedRecordWithoutAWord(Force force) throws Exception {
        damageOneLog(force, CaseStep.get());
    }

    @Test
    void noBadSectorOfOneDirectoryOfAStripedLogTakesARecordWithoutAWord() throws Exception {
        damageStripes(CaseStep.get());
    }

    @Test
    @Tag("slow")
    void noBadSectorTakesARecordWithoutAWordAfterAnyAppend() throws Exception {
        for (Force force : List.of(Force.FDATASYNC, Force.DIRECT, Force.WRITE, Force.DSYNC)) {
            damageOneLog(force, 1);
        }
        damageStripes(1);
    }

    private static void damageOneLog(Force force, int step) throws Exception {
        ModelledLog log = new ModelledLog(new SimulatedDisk(SECTOR_BYTES, 1).inNewDirectory(), 1);
        log.open(Opening.of(force));
        int first = CaseStep.first() % step;
        int places = 0;
        int usedAgain = 0;
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < GROUPS.length; i++) {
                log.append(GROUPS[i]);
                log.truncateBefore(Math.max(1, log.log().durableIndex() - 2));
                if (round > 0 && i % step == first) {
                    SimulatedDisk atRest = log.disk().copy();
                    usedAgain += SegmentHeaders.usedAgain(atRest) > 0 ? 1 : 0;
                    places += damageEachSectorOfTheEnd(List.of(atRest), 0);
                }
            }
        }
        log.close();
        assertThat(places).isGreaterThan(200 / step);
        assertThat(usedAgain).as("times in files that were used before").isGreaterThan(GROUPS.length / 2 / step);
    }

    private static void damageStripes(int step) throws Exception {
        StripedLog log = new StripedLog(DiskArray.of(2, SECTOR_BYTES, 3), 3);
        log.open(Force.FDATASYNC, 1);
        int first = CaseStep.first() % step;
        int places = 0;
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < GROUPS.length; i++) {
                for (int stripe = 0; stripe < 2; stripe++) {
                    log.start(stripe, GROUPS[i]);
                    log.finish(stripe);
                }
                log.drop(Math.max(1, log.model.acknowledged() - 3));
                log.prepareOneMore();
                if (round > 2 && i % step == first) {
                    List<SimulatedDisk> atRest = log.disks().disks().stream()
                            .map(SimulatedDisk::copy)
                            .toList();
                    places += damageEachSectorOfTheEnd(atRest, 0) + damageEachSectorOfTheEnd(atRest, 1);
                }
            }
        }
        log.close();
        assertThat(places).isGreaterThan(200 / step);
    }

    /** Returns how many bad sectors were tried, zeros and everything that was there before. */
    private static int damageEachSectorOfTheEnd(List<SimulatedDisk> disks, int stripe) throws IOException {
        LogAnalysis intact = LogAnalysis.of(disks);
        assertThat(intact.damage()).isNull();
        SegmentState last = intact.stripes().get(stripe).last();
        SimulatedDisk disk = disks.get(stripe);
        int first = (int) Math.max(SegmentHeader.BLOCK_BYTES, last.endOffset() - 2 * SegmentHeader.BLOCK_BYTES)
                / SECTOR_BYTES;
        int end = (int) Math.min(last.header().segmentBytes(), last.endOffset() + 2 * SegmentHeader.BLOCK_BYTES)
                / SECTOR_BYTES;
        int tried = 0;
        for (int sector = first; sector < end; sector++) {
            List<Storage> unreadable = new ArrayList<>(disks);
            unreadable.set(stripe, new BadSectors(disk, last.file(), (long) sector * SECTOR_BYTES, SECTOR_BYTES));
            LogAnalysis around = LogAnalysis.of(unreadable);
            assertThat(around.damage() != null || around.nextIndex() == intact.nextIndex())
                    .as(
                            "records up to %d, sector %d of %s cannot be read: %d are left",
                            intact.nextIndex() - 1, sector, last.file(), around.nextIndex() - 1)
                    .isTrue();
            int earlier = disk.damage().earlierContents(last.file(), sector);
            for (int which = -1; which < earlier; which++) {
                byte[] before = disk.bytes(last.file());
                if (which < 0) {
                    disk.damage().zero(last.file(), (long) sector * SECTOR_BYTES, SECTOR_BYTES);
                } else {
                    disk.damage().makeStale(last.file(), sector, which);
                }
                LogAnalysis found = LogAnalysis.of(disks);
                boolean reported = found.damage() != null
                        || found.nextIndex() == intact.nextIndex()
                        || found.stripes().stream().anyMatch(each -> each.last().isTorn());
                assertThat(reported)
                        .as(
                                "records up to %d, sector %d of %s, content %d: %d are left",
                                intact.nextIndex() - 1, sector, last.file(), which, found.nextIndex() - 1)
                        .isTrue();
                disk.damage()
                        .overwrite(
                                last.file(),
                                (long) sector * SECTOR_BYTES,
                                Arrays.copyOfRange(before, sector * SECTOR_BYTES, (sector + 1) * SECTOR_BYTES));
                tried++;
            }
        }
        return tried;
    }
}
