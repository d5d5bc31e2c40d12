package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.Evidence.Stretch;
import io.plog.log.Evidence.Verdict;
import io.plog.log.ModelledLog.Opening;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;
import io.plog.log.storage.Force;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Bytes that are right in themselves and wrong where they stand. */
class MisplacedBytesTest {
    private static final String FIRST = SegmentHeader.fileName(1);

    /** Records that fill a sector each. */
    private static ModelledLog sectors(int records) throws IOException {
        ModelledLog log = new ModelledLog(new SimulatedDisk(512), 1);
        log.open(Opening.of(Force.FDATASYNC));
        for (int i = 0; i < records; i++) {
            log.append(512 - RecordHeader.BYTES);
        }
        return log;
    }

    @Test
    void aRecordInThePlaceOfAnotherIsNotTakenForIt() throws Exception {
        ModelledLog log = sectors(4);
        log.close();
        Evidence evidence = new Evidence(log.disk());
        for (int from = 8; from < 12; from++) {
            for (int to = 8; to < 12; to++) {
                if (from != to) {
                    SimulatedDisk damaged = log.disk().copy();
                    byte[] sector = java.util.Arrays.copyOfRange(damaged.bytes(FIRST), 512 * from, 512 * from + 512);
                    damaged.damage().overwrite(FIRST, 512L * to, sector);
                    assertThat(evidence.judge(damaged, new Stretch(FIRST, 512L * to, 512L * to + 512)))
                            .isEqualTo(Verdict.STOPPED);
                }
            }
        }
    }

    /** The block has the second copy of a mark and the closing mark, and written one block too far ends where that has its second. */
    @Test
    void recordsInWhoseBlockEarlierMarksStandAreMissed() throws Exception {
        int block = SegmentHeader.BLOCK_BYTES;
        Opening marking = new Opening(Force.FDATASYNC, true, false);
        ModelledLog log = new ModelledLog(new SimulatedDisk(block), 1);
        log.open(marking);
        log.append(100);
        log.close();
        log.open(marking);
        log.append(200, 40);
        log.kill();
        Evidence evidence = new Evidence(log.disk());
        assertThat(evidence.markedIndex()).isEqualTo(3);
        byte[] marks = java.util.Arrays.copyOfRange(log.disk().bytes(FIRST), 2 * block, 3 * block);
        SimulatedDisk damaged = log.disk().copy();
        damaged.damage().overwrite(FIRST, 3L * block, marks);
        assertThat(evidence.judge(damaged, new Stretch(FIRST, 3L * block, 4L * block)))
                .isEqualTo(Verdict.STOPPED);
    }

    @Test
    void aSegmentBehindOneThatLostItsSealIsNotTakenForAPreparedOne() throws Exception {
        ModelledLog log = new ModelledLog(new SimulatedDisk(512), 1);
        log.open(Opening.of(Force.FDATASYNC));
        for (int i = 0; i < 3; i++) {
            log.append(14_000);
        }
        log.close();
        Evidence evidence = new Evidence(log.disk());
        SimulatedDisk damaged = log.disk().copy();
        long seal = SegmentHeader.BLOCK_BYTES + 2 * RecordHeader.encodedBytes(14_000);
        damaged.damage().zero(FIRST, seal, Logs.SEGMENT_BYTES);
        assertThat(evidence.judge(damaged, new Stretch(FIRST, seal, Logs.SEGMENT_BYTES)))
                .isEqualTo(Verdict.STOPPED);
    }

    private static final int TWO_RECORDS_END = SegmentHeader.BLOCK_BYTES + 2 * (int) RecordHeader.encodedBytes(14_000);

    /** Each of two segments holds two records, each a group of its own; the first one's seal stands in two blocks, from this one on. */
    private static final int SEAL_BLOCK = TWO_RECORDS_END / SegmentHeader.BLOCK_BYTES;

    private static Verdict judgeTwoSegments(DiskDamage.Damaging damaging) throws IOException {
        ModelledLog log = new ModelledLog(new SimulatedDisk(SegmentHeader.BLOCK_BYTES), 1);
        log.open(Opening.of(Force.FDATASYNC));
        for (int i = 0; i < 4; i++) {
            log.append(14_000);
        }
        log.kill(); // closing writes the block of the header again, with the claim
        SimulatedDisk damaged = log.disk().copy();
        damaging.apply(damaged);
        long end = TWO_RECORDS_END + 2L * SegmentHeader.BLOCK_BYTES;
        return new Evidence(log.disk())
                .judge(damaged, new Stretch(FIRST, (long) SEAL_BLOCK * SegmentHeader.BLOCK_BYTES, end));
    }

    @Test
    void recordsInASegmentWhoseHeaderTheSealBeforeItOverwroteAreMissed() throws Exception {
        assertThat(judgeTwoSegments(
                        disk -> disk.damage().misdirectTogether(FIRST, SEAL_BLOCK, SegmentHeader.fileName(2), 0)))
                .isEqualTo(Verdict.STOPPED);
    }

    @Test
    void recordsBehindAGroupThatOverwroteTheSealBeforeItAreMissed() throws Exception {
        assertThat(judgeTwoSegments(
                        disk -> disk.damage().misdirectTogether(SegmentHeader.fileName(2), 1, FIRST, SEAL_BLOCK)))
                .isEqualTo(Verdict.STOPPED);
    }

    @Test
    void aValidHeaderWithAHugeLengthAllocatesNothing() throws Exception {
        ModelledLog log = sectors(1);
        log.kill();
        SegmentHeader segment = java.util.Objects.requireNonNull(
                SegmentHeader.decode(ByteBuffer.wrap(log.disk().bytes(FIRST)), FIRST, new StringBuilder()));
        RecordHeader header = new RecordHeader();
        header.type = RecordHeader.DATA;
        header.length = 300_000_000;
        header.index = 2;
        ByteBuffer bytes = ByteBuffer.allocate(RecordHeader.BYTES);
        header.encode(bytes, segment.epoch());
        log.disk().damage().overwrite(FIRST, SegmentHeader.BLOCK_BYTES + 512, bytes.array());
        long before = directBytes();
        log.open(Opening.of(Force.FDATASYNC));
        assertThat(directBytes() - before).as("bytes of direct memory more").isLessThan(150_000_000);
        assertThat(log.log().recovery().cutBytes()).isPositive();
        log.close();
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    /** What a payload looks like decides nothing: it may be a log itself. */
    @Test
    void aPayloadThatIsASegmentIsNotTakenForRecords() throws Exception {
        ModelledLog inner = sectors(4);
        inner.close();
        byte[] segment = java.util.Arrays.copyOf(inner.disk().bytes(FIRST), 16_000);
        SimulatedDisk disk = new SimulatedDisk(512);
        try (MessageLog log = MessageLog.open(Logs.options(java.nio.file.Path.of("simulated")), disk)) {
            log.appendAndWait(ByteBuffer.wrap(segment));
            log.appendAndWait(ByteBuffer.wrap(new byte[5000])); // zeros are no end either
            log.appendAndWait(ByteBuffer.wrap(segment));
        }
        Evidence evidence = new Evidence(disk);
        assertThat(evidence.lastIndex()).isEqualTo(3);
        assertThat(evidence.judge(disk.copy())).isEqualTo(Verdict.EVERYTHING);
    }
}
