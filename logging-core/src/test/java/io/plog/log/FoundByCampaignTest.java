package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.Evidence.Stretch;
import io.plog.log.Evidence.Verdict;
import io.plog.log.ModelledLog.Opening;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;
import io.plog.log.segment.LogAnalysis;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogDamagedException;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What campaigns found, or should have found: each as a short history of its own. */
class FoundByCampaignTest {
    private static final String FIRST = SegmentHeader.fileName(1);

    /** The parent was forced after the head, so a start that found the head never forced it. */
    @Test
    void aLogInANewDirectoryIsThereAfterACreationThatWasInterruptedAnywhere() throws Exception {
        boolean interrupted = true;
        for (int operation = 1; interrupted; operation++) {
            ModelledLog log = new ModelledLog(new SimulatedDisk(512).inNewDirectory(), 1);
            log.disk().faults().crashAtOperation(operation);
            interrupted = !opens(log);
            log.kill();
            log.open(Opening.of(Force.FDATASYNC));
            log.append(10);
            log.endProcess();
            log.checkPowerLosses(8, Force.FDATASYNC);
        }
    }

    /** With force=write a seal is only written, and its force in the background may fail: recovery relied on it. */
    @Test
    void aSealThatWasOnlyWrittenIsWrittenAgainByTheRecovery() throws Exception {
        ModelledLog log = new ModelledLog(new SimulatedDisk(512), 1);
        log.open(Opening.of(Force.FDATASYNC));
        log.append(14_000);
        log.append(14_000);
        log.close();
        log.open(new Opening(Force.WRITE, false, true));
        log.disk().faults().failForce(1);
        log.append(14_000);
        assertThat(log.disk().faults().failedForces()).isEqualTo(1);
        log.kill();
        log.open(Opening.of(Force.FDATASYNC));
        log.endProcess();
        log.checkPowerLosses(20, Force.FDATASYNC);
    }

    /** The same force must have been before the log says that it was closed. */
    @Test
    void whatWasOnlyWrittenIsForcedBeforeTheLogIsClosed() throws Exception {
        ModelledLog log = new ModelledLog(new SimulatedDisk(512), 1);
        log.open(new Opening(Force.WRITE, false, true));
        for (int i = 0; i < 5; i++) {
            log.append(14_000);
        }
        log.close();
        log.checkPowerLosses(8, Force.FDATASYNC);
    }

    /**
     * With force=write what a prefix was dropped of need not be durable. A directory that did not hear of the drop still
     * begins with it, and recovery did not write it again: the next power cut took it, and what stood behind it was lost.
     */
    @Test
    void whatWasDroppedButNeverForcedIsWrittenAgainWhereADirectoryStillBeginsWithIt() throws Exception {
        boolean interrupted = true;
        for (int operation = 1; interrupted; operation++) {
            StripedLog log = new StripedLog(DiskArray.of(2, 512, 1), 1);
            log.open(Force.WRITE, 1);
            log.start(1, 9000, 9000);
            log.finish();
            log.start(1, 9000, 9000);
            log.finish();
            log.start(1, 9000); // changes the segment
            log.start(0, 10);
            log.finish();
            log.disks().crashAtOperation(operation, false);
            interrupted = !drops(log, 6);
            log = log.afterKill(operation);
            log.open(Force.FDATASYNC, 0);
            for (int seed = 0; seed < 8; seed++) {
                StripedLog after = log.afterPowerLoss(seed);
                after.open(Force.FDATASYNC, 0);
                after.close();
            }
        }
    }

    private static boolean drops(StripedLog log, long index) {
        try {
            log.drop(index);
            return true;
        } catch (IOException interrupted) {
            return false;
        }
    }

    /** A close that a crash interrupts may leave one copy of its mark: the next start took the log for marked twice. */
    @Test
    void aMarkOfWhichOneCopySurvivedIsMadeWholeByTheRecovery() throws Exception {
        ModelledLog log = new ModelledLog(new SimulatedDisk(512), 1);
        log.open(Opening.of(Force.FDATASYNC));
        log.append(10);
        long end = SegmentHeader.BLOCK_BYTES + RecordHeader.encodedBytes(10);
        log.close();
        log.disk().damage().zero(FIRST, 2 * SegmentHeader.BLOCK_BYTES, 512);
        assertThat(LogAnalysis.of(List.of(log.disk())).isCleanlyClosed()).isTrue();
        log.open(Opening.of(Force.FDATASYNC));
        log.kill();
        Evidence evidence = new Evidence(log.disk());
        assertThat(evidence.markedIndex()).isEqualTo(1);
        SimulatedDisk damaged = log.disk().copy();
        damaged.damage().zero(FIRST, SegmentHeader.BLOCK_BYTES, 512);
        assertThat(evidence.judge(damaged, new Stretch(FIRST, SegmentHeader.BLOCK_BYTES, end + RecordHeader.BYTES)))
                .isEqualTo(Verdict.STOPPED);
    }

    /**
     * Why recovery overwrites the rest of the segment where it reads zeros already. A torn batch left a whole record behind
     * the end; a recovery cut it, but the force of its zeros failed: the page cache shows zeros and the device holds the
     * record, valid for this segment. What the next start appends ends where that record begins.
     */
    @Test
    void aTornRecordUnderZerosThatOnlyThePageCacheHasDoesNotComeBack() throws Exception {
        int block = SegmentHeader.BLOCK_BYTES;
        boolean sawIt = false;
        for (int force = 1; force <= 6; force++) {
            ModelledLog log = tornBatch();
            // Some force of the recovery fails, at last the one of the zeros, and the process starts again.
            log.disk().faults().failForce(force);
            boolean failed = !opens(log);
            log.abandon();
            boolean zerosInCacheOnly = log.disk().bytes(FIRST)[3 * block] == 0
                    && log.disk().copy().afterCrash(1).bytes(FIRST)[3 * block] != 0;
            sawIt |= failed && zerosInCacheOnly;
            log.open(Opening.of(Force.FDATASYNC));
            // The recovery's mark ends behind the beginning of the third block; this and its trailer end where the
            // fourth begins.
            log.append(block - 3 * RecordHeader.BYTES);
            log.endProcess();
            log.checkPowerLosses(4, Force.FDATASYNC);
        }
        assertThat(sawIt).as("zeros over a record, in the page cache only").isTrue();
    }

    /** Record 1 is durable; of the batch of records 2 and 3, record 3 survived a crash, at the start of the fourth block. */
    private static ModelledLog tornBatch() throws IOException {
        int block = SegmentHeader.BLOCK_BYTES;
        for (int seed = 0; ; seed++) {
            ModelledLog log = new ModelledLog(new SimulatedDisk(512), 1);
            log.open(Opening.of(Force.FDATASYNC));
            // Record 1 fills a sector, record 2 the rest up to the fourth block.
            log.disk().faults().crashAtOperation(4);
            try {
                log.append(512 - RecordHeader.BYTES, 2 * block - 512 - RecordHeader.BYTES, 100);
                throw new AssertionError("the second force was to be interrupted");
            } catch (LogFailedException expected) {
                log.endProcess();
            }
            ModelledLog torn = log.afterPowerLoss(seed);
            byte[] bytes = torn.disk().bytes(FIRST);
            boolean hasSecond = bytes[block + 512] != 0 || bytes[block + 513] != 0;
            boolean hasThird = bytes[3 * block + 4] == RecordHeader.DATA && bytes[3 * block] != 0;
            if (!hasSecond && hasThird) {
                return torn;
            }
        }
    }

    private static boolean opens(ModelledLog log) throws IOException {
        try {
            log.open(Opening.of(Force.FDATASYNC));
            return true;
        } catch (LogDamagedException damaged) {
            throw damaged;
        } catch (IOException expected) {
            return false;
        }
    }
}
