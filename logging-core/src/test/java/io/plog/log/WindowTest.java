package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;
import io.plog.log.storage.Force;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What verify says about the end of a log that was killed: exactly what damage to one block could take without a word. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class WindowTest {
    private static final int BLOCK = SegmentHeader.BLOCK_BYTES;
    private static final LogOptions OPTIONS = Logs.options(Path.of("simulated")).withGroupsInFlight(1);

    private static SimulatedDisk killed(long seed, int... payloads) throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512, seed);
        MessageLog log = MessageLog.open(OPTIONS, disk);
        for (int bytes : payloads) {
            log.append(Logs.bytes(bytes, bytes)).get();
        }
        SimulatedDisk after = disk.afterKill();
        try {
            log.close();
        } catch (IOException itsDiskIsOff) {
            assertThat(disk.hasCrashed()).isTrue();
        }
        return after;
    }

    @Test
    void recordsWhoseOnlyProofStandsInTheSameBlockAreSaidToBeInDoubt() throws Exception {
        LogTools.Inspection found = LogTools.inspect(killed(1, 100, 100, 100, 100));
        String file = SegmentHeader.fileName(1);
        assertThat(found.windows()).containsExactly(new LogTools.Window("", file, BLOCK, 1, 4));
        assertThat(found.windows().get(0).describe())
                .isEqualTo("damage to what stands from offset 4096 of " + file
                        + " on (records 1 to 4) could not be distinguished from a torn write");
    }

    @Test
    void ofALogThatWasClosedOrMarkedNothingIsInDoubt() throws Exception {
        SimulatedDisk disk = killed(2, 100, 5000, 100);
        MessageLog.open(OPTIONS, disk).close();
        assertThat(LogTools.inspect(disk).windows()).isEmpty();
    }

    /** The second of two that were under way says what was durable before the first: damage to the first is in doubt, too. */
    @Test
    void ofTwoGroupsThatWereUnderWayBothAreInDoubt() throws Exception {
        for (int seed = 0; seed < 40; seed++) {
            StripedLog log = new StripedLog(DiskArray.of(1, 512, seed), seed);
            log.open(Force.FDATASYNC, 0);
            for (int i = 0; i < 12; i++) {
                log.step();
            }
            SimulatedDisk disk = log.afterKill(seed).disks().disks().get(0);
            LogTools.Inspection before = LogTools.inspect(disk);
            LogTools.Window window = before.windows().get(0);
            for (long at = BLOCK; at < Logs.SEGMENT_BYTES; at += BLOCK) {
                SimulatedDisk damaged = disk.copy();
                damaged.damage().zero(window.file(), at, BLOCK);
                LogTools.Inspection after = LogTools.inspect(damaged);
                if (after.damage().isEmpty() && after.lastIndex() < before.lastIndex()) {
                    assertThat(after.lastIndex() + 1)
                            .as("seed %d, block at %d: first lost without a word", seed, at)
                            .isGreaterThanOrEqualTo(window.firstIndex());
                }
            }
        }
    }

    /** One directory changes its segment while another's group is under way: no watermark says that the first was acknowledged. */
    @Test
    void ofAStripedLogABlockInFrontOfASealIsNotTakenWithoutAWord() throws Exception {
        StripedLog log = new StripedLog(DiskArray.of(2, 512, 1), 1);
        log.open(Force.FDATASYNC, 2);
        log.start(0, BLOCK - RecordHeader.BYTES);
        log.finish(0);
        log.start(1, 100);
        for (int size : List.of(BLOCK - RecordHeader.BYTES, 30_000)) {
            log.start(0, size);
            log.finish(0);
        }
        log.finish(1);
        assertThat(log.model.acknowledged()).isEqualTo(4);
        List<SimulatedDisk> disks = log.afterKill(1).disks().disks();
        LogTools.Inspection before = LogTools.inspectStorages(disks);
        int repaired = 0;
        for (long at = BLOCK; at < Logs.SEGMENT_BYTES; at += BLOCK) {
            List<SimulatedDisk> damaged =
                    disks.stream().map(SimulatedDisk::copy).toList();
            damaged.get(0).damage().zero(SegmentHeader.fileName(1), at, BLOCK);
            LogTools.Inspection after = LogTools.inspectStorages(damaged);
            long lost = after.lastIndex() + 1;
            assertThat(after.damage().isPresent()
                            || lost > 4
                            || before.windows().stream()
                                    .anyMatch(window -> window.firstIndex() <= lost && lost <= window.lastIndex()))
                    .as("block at %d: %d is the first lost", at, lost)
                    .isTrue();
            if (after.damage().isPresent()) {
                LogTools.repair(LogTools.planRepair(damaged).orElseThrow(), damaged);
                assertThat(LogTools.inspectStorages(damaged).damage()).isEmpty();
                assertThat(LogTools.inspectStorages(damaged).lastIndex()).isEqualTo(lost - 1);
                repaired++;
            }
        }
        assertThat(repaired).isEqualTo(2);
    }

    /** Every block of many killed logs is zeroed: what is lost without a word is what was said before, and no more. */
    @Test
    void damageToABlockTakesWithoutAWordOnlyWhatWasSaidToBeInDoubt() throws Exception {
        int silent = 0;
        for (int seed = 0; seed < 60; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int[] payloads = random.ints(random.nextInt(1, 12), 0, random.nextBoolean() ? 300 : 6000)
                    .toArray();
            SimulatedDisk disk = killed(seed, payloads);
            LogTools.Inspection before = LogTools.inspect(disk);
            List<LogTools.Window> windows = before.windows();
            assertThat(windows).as("seed %d", seed).hasSize(1);
            LogTools.Window window = windows.get(0);
            long inDoubtFrom = window.firstIndex() == 0 ? before.lastIndex() + 1 : window.firstIndex();
            boolean firstCouldBeTaken = window.firstIndex() == 0;
            for (long at = BLOCK; at < Logs.SEGMENT_BYTES; at += BLOCK) {
                SimulatedDisk damaged = disk.copy();
                damaged.damage().zero(window.file(), at, BLOCK);
                LogTools.Inspection after = LogTools.inspect(damaged);
                if (after.damage().isEmpty() && after.lastIndex() < before.lastIndex()) {
                    silent++;
                    assertThat(after.lastIndex() + 1)
                            .as("seed %d, block at %d: first lost without a word", seed, at)
                            .isGreaterThanOrEqualTo(inDoubtFrom);
                    assertThat(at).isGreaterThanOrEqualTo(window.offset());
                    firstCouldBeTaken |= after.lastIndex() + 1 == inDoubtFrom;
                }
            }
            assertThat(firstCouldBeTaken)
                    .as("seed %d: no more is said than is true", seed)
                    .isTrue();
        }
        assertThat(silent).isPositive();
    }
}
