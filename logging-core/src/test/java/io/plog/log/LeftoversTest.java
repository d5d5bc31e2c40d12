package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.ModelledLog.Opening;
import io.plog.log.file.ControlRecords;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;
import io.plog.log.segment.LogAnalysis;
import io.plog.log.segment.SegmentState;
import io.plog.log.segment.StripeAnalysis;
import io.plog.log.storage.Force;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Leftover bytes never make an intact log refuse to open, whatever they look like: by chance, or made for it by a client. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LeftoversTest {
    private static final long IMPOSSIBLE = 100_000_000_000L;

    /** An intact log at rest, killed in a segment that was used before; some records behind the last mark. */
    private static ModelledLog killed() throws IOException {
        ModelledLog log = new ModelledLog(new SimulatedDisk(512, 1).inNewDirectory(), 1);
        log.open(new Opening(Force.FDATASYNC, false, true));
        for (int i = 0; i < 16; i++) {
            log.append(14_000, 300);
            log.truncateBefore(Math.max(1, log.log().durableIndex() - 4));
        }
        log.append(2_000);
        log.kill();
        assertThat(SegmentHeaders.usedAgain(log.disk())).isPositive();
        return log;
    }

    private static byte[] header(long epoch, int type, long index, long watermark, int length) {
        RecordHeader header = new RecordHeader();
        header.type = type;
        header.index = index;
        header.watermark = watermark;
        header.length = length;
        ByteBuffer bytes = ByteBuffer.allocate(RecordHeader.BYTES);
        header.encode(bytes, epoch);
        return bytes.array();
    }

    private static void opensAsItWas(ModelledLog log) throws IOException {
        assertThat(LogTools.planRepair(List.of(log.disk()))).isEmpty();
        log.open(Opening.of(Force.FDATASYNC)); // and holds it against the model
        assertThat(log.log().recovery().cutBytes()).isZero();
        log.close();
    }

    @Test
    void aRightHeaderWithAnIndexThatCannotBeIsNoEvidence() throws Exception {
        for (int type = RecordHeader.DATA; type <= RecordHeader.TRAILER; type++) {
            ModelledLog log = killed();
            SegmentState last =
                    LogAnalysis.of(List.of(log.disk())).stripes().get(0).last();
            long at = RecordHeader.align(last.endOffset(), SegmentHeader.BLOCK_BYTES);
            byte[] header = header(last.header().epoch(), type, IMPOSSIBLE, IMPOSSIBLE - 1, 0);
            log.disk().damage().overwrite(last.file(), at, header);
            opensAsItWas(log);
        }
    }

    @Test
    void aRightHeaderThatEndsWhereNoWriterDoesIsNoEvidence() throws Exception {
        ModelledLog log = killed();
        SegmentState last = LogAnalysis.of(List.of(log.disk())).stripes().get(0).last();
        byte[] header =
                header(last.header().epoch(), RecordHeader.DATA, last.nextIndex(), last.nextIndex() - 1, 60_000);
        log.disk().damage().overwrite(last.file(), Logs.SEGMENT_BYTES - 512, header);
        opensAsItWas(log);
    }

    @Test
    void aRightHeaderInAPreparedSegmentCountsAtItsFirstPlaceOrAsAWitness() throws Exception {
        ModelledLog log = killed();
        StripeAnalysis stripe = LogAnalysis.of(List.of(log.disk())).stripes().get(0);
        SegmentHeader spare = stripe.spares().get(0);
        String name = SegmentHeader.fileName(spare.segment());
        long next = stripe.last().nextIndex();
        byte[] possible = header(spare.epoch(), RecordHeader.DATA, next + 1, next, 40);
        byte[] noWitness = header(spare.epoch(), RecordHeader.DATA, next + 1, next - 1, 40);
        SimulatedDisk elsewhere = log.disk().copy();
        elsewhere.damage().overwrite(name, 3 * SegmentHeader.BLOCK_BYTES, noWitness);
        LogAnalysis found = LogAnalysis.of(List.of(elsewhere));
        assertThat(found.damage()).isNull();
        assertThat(found.stripes().get(0).discards()).contains(name); // or what is there would be a record some day
        elsewhere.damage().overwrite(name, 3 * SegmentHeader.BLOCK_BYTES, possible);
        assertThat(LogAnalysis.of(List.of(elsewhere)).damage()).isNotNull();
        SimulatedDisk atFirst = log.disk().copy();
        atFirst.damage().overwrite(name, SegmentHeader.BLOCK_BYTES, noWitness);
        assertThat(LogAnalysis.of(List.of(atFirst)).damage()).isNotNull();
        log.disk()
                .damage()
                .overwrite(
                        name,
                        SegmentHeader.BLOCK_BYTES,
                        header(spare.epoch(), RecordHeader.DATA, IMPOSSIBLE, IMPOSSIBLE - 1, 40));
        opensAsItWas(log);
    }

    /** What a client can reach with payloads of headers: one in 2^32 has a right check. It must know the salt, too. */
    @Test
    void aHeaderOfWhichOnlyTheCheckIsRightIsNoEvidence() throws Exception {
        ModelledLog log = killed();
        SegmentState last = LogAnalysis.of(List.of(log.disk())).stripes().get(0).last();
        long next = last.nextIndex();
        byte[] made = header(last.header().epoch(), RecordHeader.DATA, next + 1, next, 40);
        made[28] ^= 1;
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(Long.BYTES).putLong(0, last.header().epoch()));
        crc.update(made, 4, made.length - 4);
        ByteBuffer.wrap(made).putInt(0, (int) crc.getValue());
        long at = RecordHeader.align(last.endOffset(), SegmentHeader.BLOCK_BYTES);
        log.disk().damage().overwrite(last.file(), at, made);
        opensAsItWas(log);
    }

    /** A count that is asked to people fits into the files, whatever damaged bytes say. */
    @Test
    void aRepairCountsNoMoreLostRecordsThanFit() throws Exception {
        ModelledLog log = killed();
        SegmentState last = LogAnalysis.of(List.of(log.disk())).stripes().get(0).last();
        log.disk().damage().zero(last.file(), SegmentHeader.BLOCK_BYTES, 512); // a record in front of others
        log.disk()
                .damage()
                .overwrite(
                        last.file(),
                        Logs.SEGMENT_BYTES - ControlRecords.RESERVE_BYTES - 512,
                        header(last.header().epoch(), RecordHeader.DATA, IMPOSSIBLE, IMPOSSIBLE - 1, 0));
        LogTools.planRepair(List.of(log.disk()))
                .ifPresent(plan ->
                        assertThat(plan.acknowledgedLost()).isLessThan(Logs.SEGMENT_BYTES / RecordHeader.BYTES));
        assertThat(LogAnalysis.of(List.of(log.disk())).nextIndex()).isLessThan(IMPOSSIBLE);
    }
}
