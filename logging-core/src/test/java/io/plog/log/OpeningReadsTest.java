package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.Evidence.Stretch;
import io.plog.log.Evidence.Verdict;
import io.plog.log.ModelledLog.Opening;
import io.plog.log.file.DiskStorage;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.WriterClaim;
import io.plog.log.segment.LogAnalysis;
import io.plog.log.segment.Recovery;
import io.plog.log.segment.SegmentState;
import io.plog.log.storage.Force;
import io.plog.log.storage.Storage;
import io.plog.log.testing.ForwardingStorage;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an opening reads, and that nothing is missed in what it does not. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OpeningReadsTest {
    private static final int SEGMENT_BYTES = 8 * 1024 * 1024;
    private static final int RECORDS_BYTES = 2_000_000;
    private static final int WINDOWS_BYTES =
            2 * 1024 * 1024; // a look at the beginning of each segment, and behind the end
    private static final String FIRST = SegmentHeader.fileName(1);

    @TempDir
    Path temporary;

    /** Counts what is read. */
    private static final class CountingStorage extends ForwardingStorage {
        final AtomicLong bytes = new AtomicLong();

        CountingStorage(Path directory) throws IOException {
            super(new DiskStorage(directory));
        }

        @Override
        protected Storage.FileHandle forwarding(String name, Storage.FileHandle file, Access access) {
            return new ForwardingFile(file) {
                @Override
                public int read(ByteBuffer target, long position) throws IOException {
                    int count = super.read(target, position);
                    bytes.addAndGet(Math.max(0, count));
                    return count;
                }
            };
        }
    }

    private static long bytesReadToOpen(Path directory) throws IOException {
        try (CountingStorage storage = new CountingStorage(directory)) {
            Recovery.recover(List.of(storage), LogOptions.in(directory).segments(), WriterClaim.ofThisProcess());
            return storage.bytes.get();
        }
    }

    /** A log with three prepared segments, closed or as a kill leaves it. */
    private Path log(boolean closed) throws Exception {
        Path original = Files.createDirectory(temporary.resolve("original"));
        LogOptions options =
                LogOptions.in(original).withSegmentBytes(SEGMENT_BYTES).withReserveSegments(3);
        Path killed = temporary.resolve("killed");
        try (MessageLog log = MessageLog.open(options)) {
            for (int i = 0; i < 40; i++) {
                log.appendAndWait(ByteBuffer.allocate(RECORDS_BYTES / 40));
            }
            while (!Files.exists(Logs.segment(original, 4))) {
                Thread.onSpinWait();
            }
            if (!closed) {
                Logs.copyAsAfterKill(original, killed);
            }
        }
        return closed ? original : killed;
    }

    @Test
    void aLogThatWasClosedInOrderIsReadOnceAndBehindItsEndNotAtAll() throws Exception {
        assertThat(bytesReadToOpen(log(true))).isBetween((long) RECORDS_BYTES, (long) RECORDS_BYTES + WINDOWS_BYTES);
    }

    @Test
    void ofALogThatWasKilledTheSegmentInUseIsReadAndOfTheOthersTheBeginning() throws Exception {
        long records = 2L * RECORDS_BYTES; // of which what lies behind the watermark is looked for, to be written again
        assertThat(bytesReadToOpen(log(false)))
                .isBetween((long) SEGMENT_BYTES, records + SEGMENT_BYTES + WINDOWS_BYTES);
    }

    private static ModelledLog closed(int... bytes) throws IOException {
        ModelledLog log = new ModelledLog(new SimulatedDisk(512), 1);
        log.open(new Opening(Force.FDATASYNC, false, true));
        log.append(bytes);
        log.close();
        return log;
    }

    private static SegmentState last(SimulatedDisk disk) throws IOException {
        return LogAnalysis.of(List.of(disk)).stripes().get(0).last();
    }

    /** What the writer before wrote in the place of an earlier end, with the closing mark in front of it, is not forgotten. */
    @Test
    void recordsBehindTheClosingMarkOfAnEarlierLifeAreMissed() throws Exception {
        ModelledLog log = closed(600);
        long end = last(log.disk()).endOffset();
        log.open(new Opening(Force.FDATASYNC, false, true));
        log.append(900);
        log.append(900);
        log.close();
        long next = last(log.disk()).endOffset();
        assertThat(next).isGreaterThan(end);
        SimulatedDisk damaged = log.disk().copy();
        damaged.damage().zero(FIRST, (int) end, 64);
        assertThat(new Evidence(log.disk()).judge(damaged, new Stretch(FIRST, end, end + 64)))
                .isEqualTo(Verdict.STOPPED);
    }

    /** Then the segments behind it say that somebody came later. */
    @Test
    void aTornGroupBehindAClosingMarkIsCutAlsoIfTheDiskLostTheClaimThatCameBeforeIt() throws Exception {
        ModelledLog log = closed(600);
        byte[] claim = Arrays.copyOfRange(log.disk().bytes(FIRST), WriterClaim.OFFSET, SegmentHeader.BLOCK_BYTES);
        SegmentState end = last(log.disk());
        log.open(new Opening(Force.FDATASYNC, false, true));
        log.append(900, 900, 900);
        log.kill();
        log.disk().damage().overwrite(FIRST, WriterClaim.OFFSET, claim);
        log.disk().damage().zero(FIRST, (int) end.endOffset(), 64); // of the first of them
        LogAnalysis found = LogAnalysis.ofOpening(List.of(log.disk()), false);
        assertThat(found.stripes().get(0).last().isTorn()).isTrue();
    }

    /** With {@code force=write} a power cut may take a seal and the first group behind it, and leave the next. */
    @Test
    void whatAWriterThatDoesNotForceLeftInAPreparedSegmentDoesNotStayThere() throws Exception {
        ModelledLog log = new ModelledLog(new SimulatedDisk(512), 1);
        log.open(new Opening(Force.WRITE, false, true));
        log.append(10);
        log.kill();
        SegmentHeader spare =
                LogAnalysis.of(List.of(log.disk())).stripes().get(0).spares().get(0);
        RecordHeader left = new RecordHeader();
        left.type = RecordHeader.DATA;
        left.index = 9;
        ByteBuffer header = ByteBuffer.allocate(RecordHeader.BYTES);
        left.encode(header, spare.epoch());
        log.disk().damage().overwrite(SegmentHeader.fileName(2), 3 * SegmentHeader.BLOCK_BYTES, header.array());
        log.disk().faults().crashAtOperation(4); // behind its claim and the force of the directory
        try {
            log.open(new Opening(Force.FDATASYNC, false, true));
            throw new AssertionError("it was to end");
        } catch (IOException expected) {
            log.kill();
        }
        assertThat(discards(log.disk())).contains(SegmentHeader.fileName(2));
    }

    private static List<String> discards(SimulatedDisk disk) throws IOException {
        return LogAnalysis.ofOpening(List.of(disk), false).stripes().get(0).discards();
    }
}
