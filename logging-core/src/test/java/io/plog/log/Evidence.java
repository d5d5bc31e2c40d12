package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.file.CellsFile;
import io.plog.log.file.CheckpointFile;
import io.plog.log.file.FileWindow;
import io.plog.log.file.HeadFile;
import io.plog.log.file.LogFiles;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.WriterClaim;
import io.plog.log.segment.CoveredRecordsCheck;
import io.plog.log.segment.LogAnalysis;
import io.plog.log.segment.Recovery;
import io.plog.log.segment.RecoveryResult;
import io.plog.log.segment.Rewinds;
import io.plog.log.segment.SegmentListener;
import io.plog.log.segment.SegmentScanner;
import io.plog.log.segment.SegmentState;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.RecoveryReport;
import io.plog.log.storage.Storage;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An intact log at rest, and the rule by which the recovery of a damaged copy of it is judged: it returns everything, or it
 * stops with a {@link LogDamagedException} that names a damaged file and a place in it, having changed nothing. Beyond the
 * last watermark it may cut, and then says that what it cut may have been acknowledged. Any other exception is a defect.
 */
final class Evidence {
    private static final LogOptions OPTIONS = Logs.options(Path.of("simulated")).withMaxBatchBytes(32 * 1024);

    /** The headers of the head, the checkpoint and a segment are no longer. */
    private static final int FILE_HEADER_BYTES = 104;

    /** A header of the intact log, and up to where it says that the log was durable. */
    record Witness(String file, long offset, long watermark) {
        static Witness of(SegmentState segment, SegmentScanner scanner) {
            return new Witness(segment.file(), scanner.offset(), scanner.record().watermark);
        }
    }

    /** What the recovery of a damaged log came to. */
    enum Verdict {
        EVERYTHING,
        STOPPED,
        CUT
    }

    private final SimulatedDisk disk;
    private final List<ByteBuffer> records = new ArrayList<>();
    private final List<Witness> witnesses = new ArrayList<>();
    private final long firstIndex;
    private final long lastIndex;
    private final long markedIndex;
    private final boolean closed;
    private final boolean opensShort;
    private final long unfinishedDrop;
    private final Optional<Checkpoint> checkpoint;
    private final Map<String, ByteBuffer> cells;

    /** What the older copy of the cells says where a put was cut off between the two; its caller was never told. */
    private final Map<String, ByteBuffer> cellsBefore;

    /** @param disk at rest; it stays as it is */
    Evidence(SimulatedDisk disk) throws IOException {
        this.disk = disk;
        LogAnalysis analysis = LogAnalysis.of(List.of(disk));
        assertThat(analysis.damage()).as("damage of a log that is intact").isNull();
        firstIndex = analysis.firstIndex();
        lastIndex = analysis.nextIndex() - 1;
        markedIndex = analysis.markedIndex();
        List<SegmentState> segments = analysis.stripes().get(0).segments();
        // A close that a crash interrupted may have left one copy of the closing mark: that is a crashed log.
        closed = analysis.isCleanlyClosed() && segments.get(segments.size() - 1).markedTwice();
        // Of a log that was just emptied the file may still be there.
        Rewinds rewinds = analysis.stripes().get(0).rewinds();
        checkpoint = rewinds.areToNothing() && rewinds.checks() == 0
                ? Optional.empty()
                : Optional.ofNullable(CheckpointFile.read(
                                disk,
                                CheckpointFile.nameOf(disk, rewinds.checks()),
                                Objects.requireNonNull(analysis.head())))
                        .map(file -> new Checkpoint(file.index(), file.state()));
        cells = cellsOf(disk);
        cellsBefore = cellsBefore(disk);
        LogAnalysis brief = LogAnalysis.ofOpening(List.of(disk), true);
        opensShort = !brief.stripes().get(0).unread().isEmpty();
        unfinishedDrop = unfinishedDrop(disk.copy());
        checkpoint.ifPresent(found -> witnesses.add(new Witness(CheckpointFile.NAME, 0, found.index())));
        for (SegmentState segment : segments) {
            collect(segment);
        }
    }

    /**
     * Up to which index somebody was dropping records when that failed: a head that is whole and was never renamed says so. If
     * a misdirected write puts it in the place of the head, the drop has happened after all, as its caller wanted.
     */
    private static long unfinishedDrop(SimulatedDisk copy) throws IOException {
        String temporary = HeadFile.NAME + LogFiles.TEMPORARY_SUFFIX;
        if (!copy.files().contains(temporary)) {
            return 0;
        }
        copy.rename(temporary, HeadFile.NAME);
        try {
            HeadFile head = HeadFile.read(copy);
            return head == null ? 0 : head.firstIndex();
        } catch (LogDamagedException torn) {
            return 0;
        }
    }

    private static Map<String, ByteBuffer> cellsBefore(SimulatedDisk disk) throws IOException {
        HeadFile head = HeadFile.read(disk);
        CellsFile newest = head == null ? null : CellsFile.read(disk, head);
        if (newest == null || newest.twice()) {
            return cellsOf(disk);
        }
        SimulatedDisk copy = disk.copy();
        long half = DiskDamage.length(disk, CellsFile.NAME) / 2;
        copy.damage().zero(CellsFile.NAME, newest.place() * half, SegmentHeader.BLOCK_BYTES);
        try {
            return cellsOf(copy);
        } catch (LogDamagedException thereWasNone) {
            return cellsOf(disk);
        }
    }

    private static Map<String, ByteBuffer> cellsOf(SimulatedDisk disk) throws IOException {
        HeadFile head = HeadFile.read(disk);
        CellsFile file = head == null ? null : CellsFile.read(disk, head);
        Map<String, ByteBuffer> cells = new TreeMap<>();
        if (file != null) {
            file.values().forEach((name, value) -> cells.put(name, ByteBuffer.wrap(value)));
        }
        return cells;
    }

    private void collect(SegmentState segment) throws IOException {
        try (Storage.FileHandle file = disk.open(segment.file(), Storage.Access.READ)) {
            SegmentScanner scanner = new SegmentScanner(
                    file, segment.header(), new FileWindow(), segment.firstIndex(), segment.endOffset());
            while (scanner.next()) {
                witnesses.add(Witness.of(segment, scanner));
                if (scanner.record().isData()) {
                    records.add(copyOf(scanner.payload()));
                }
            }
        }
    }

    static ByteBuffer copyOf(ByteBuffer payload) {
        return ByteBuffer.allocate(payload.remaining()).put(payload).flip();
    }

    SimulatedDisk disk() {
        return disk;
    }

    int sectorBytes() {
        return disk.sectorBytes();
    }

    long lastIndex() {
        return lastIndex;
    }

    long markedIndex() {
        return markedIndex;
    }

    boolean isClosed() {
        return closed;
    }

    /** How many bytes the records have. */
    long payloadBytes() {
        return records.stream().mapToLong(ByteBuffer::remaining).sum();
    }

    /**
     * A stretch of a file that is not what it was. A file that is missing has all its bytes damaged.
     *
     * @param maySpareNoMark whether it is of a write that may have taken both copies of a mark
     */
    record Stretch(String file, long from, long to, boolean maySpareNoMark) {
        Stretch(String file, long from, long to) {
            this(file, from, to, false);
        }

        boolean holds(Witness witness) {
            return witness.file().equals(file) && witness.offset() < to && witness.offset() + RecordHeader.BYTES > from;
        }
    }

    /**
     * Recovers a damaged copy and judges what comes of it.
     *
     * @param damaged a copy of the log, damaged
     * @param where all that is damaged
     */
    Verdict judge(SimulatedDisk damaged, Stretch... where) throws IOException {
        long operations = damaged.operations();
        SimulatedDisk twin = opensShort ? damaged.copy() : null;
        try {
            RecoveryResult result = Recovery.recover(List.of(damaged), OPTIONS.segments(), WriterClaim.ofThisProcess());
            Verdict verdict = judgeRecovered(damaged, result.report(), where);
            judgeShortOpening(twin, result.report(), null);
            return verdict;
        } catch (LogDamagedException stopped) {
            assertThat(damaged.operations())
                    .as("operations that change something")
                    .isEqualTo(operations);
            judgeWords(stopped, where);
            judgeShortOpening(twin, null, stopped);
            return Verdict.STOPPED;
        } finally {
            assertThat(damaged.openFiles()).as("files left open").isZero();
        }
    }

    /** Whether opening a part of this log leaves some of it unread until later, when nothing is damaged. */
    boolean opensShort() {
        return opensShort;
    }

    /**
     * An opening that leaves for later what the checkpoint covers, and then reads that, comes to the same as one that reads
     * everything at once: the same records, or the same damage.
     */
    private void judgeShortOpening(
            @Nullable SimulatedDisk twin, @Nullable RecoveryReport recovered, @Nullable LogDamagedException stopped)
            throws IOException {
        if (twin == null) {
            return;
        }
        LogDamagedException found = null;
        try {
            RecoveryResult result = Recovery.recover(
                    List.of(twin),
                    OPTIONS.withCheck(LogOptions.Check.IN_BACKGROUND).segments(),
                    WriterClaim.ofThisProcess());
            if (recovered != null) {
                assertThat(result.report().firstIndex()).isEqualTo(recovered.firstIndex());
                assertThat(result.report().lastIndex()).isEqualTo(recovered.lastIndex());
                assertThat(result.report().cutBytes()).isEqualTo(recovered.cutBytes());
            }
            found = checkLater(twin, result);
        } catch (LogDamagedException atOpening) {
            found = atOpening;
        } finally {
            assertThat(twin.openFiles()).as("files left open").isZero();
        }
        if (stopped == null) {
            assertThat(found).as("what the later check found").isNull();
        } else {
            LogDamagedException later =
                    Objects.requireNonNull(found, "nothing was found later, instead of: " + stopped);
            assertThat(later.file()).isEqualTo(stopped.file());
            assertThat(later.offset()).isEqualTo(stopped.offset());
        }
    }

    private static @Nullable LogDamagedException checkLater(SimulatedDisk disk, RecoveryResult log) {
        List<Throwable> problems = new ArrayList<>();
        RecoveryResult.Stripe stripe = log.stripes().get(0);
        new CoveredRecordsCheck(
                        disk,
                        segment -> true,
                        stripe.unchecked(),
                        log.checkpoint(),
                        new SegmentListener() {},
                        problems::add,
                        CoveredRecordsCheck.RETRY_NANOS)
                .run();
        assertThat(problems).hasSizeLessThan(2).allMatch(LogDamagedException.class::isInstance);
        return problems.isEmpty() ? null : (LogDamagedException) problems.get(0);
    }

    private void judgeWords(LogDamagedException stopped, Stretch... where) {
        for (Stretch stretch : where) {
            if (stopped.file().equals(stretch.file()) && isPlaceOf(stopped.offset(), stretch)) {
                assertThat(stopped.getMessage()).contains(stopped.file(), "expected", "found");
                return;
            }
            // On a full disk the head is written over an older one. If that write is lost, the older head is valid and
            // names a segment
            // that was dropped; nothing says which of the two went astray, so the words name both.
            if (stretch.file().equals(HeadFile.NAME)
                    && stopped.getMessage().contains("expected this file, which log.head names as the first")) {
                return;
            }
        }
        throw new AssertionError("names " + stopped.file() + " at " + stopped.offset() + ": " + stopped.getMessage());
    }

    /**
     * Whether the damage lies in what begins at that offset: a file's header, or a record. Records that went astray may be valid
     * where they are, and lead to the end of a block.
     */
    private boolean isPlaceOf(long offset, Stretch stretch) {
        if (offset < FILE_HEADER_BYTES) {
            return true;
        }
        long nextOffset = Long.MAX_VALUE;
        for (Witness witness : witnesses) {
            if (witness.file().equals(stretch.file()) && witness.offset() > offset) {
                nextOffset = Math.min(nextOffset, witness.offset());
            }
        }
        return offset <= RecordHeader.align(stretch.to(), SegmentHeader.BLOCK_BYTES) && stretch.from() < nextOffset;
    }

    private Verdict judgeRecovered(SimulatedDisk recovered, RecoveryReport report, Stretch... where)
            throws IOException {
        long last = report.lastIndex();
        boolean dropped = isMissing(HeadFile.NAME, where) && report.firstIndex() == unfinishedDrop;
        long first = dropped ? unfinishedDrop : firstIndex;
        assertThat(report.firstIndex()).isEqualTo(first);
        assertThat(last).as("last recovered").isBetween(provedIndex(where), lastIndex);
        try (LogReader reader = LogReader.open(recovered, 0)) {
            for (long index = first; index <= last; index++) {
                if (!reader.next() || !reader.payload().equals(records.get((int) (index - firstIndex)))) {
                    throw new AssertionError("record " + index + " is not what it was");
                }
            }
            assertThat(reader.next()).isFalse();
        }
        HeadFile head = HeadFile.read(disk);
        boolean told = head == null || head.cells() || !isMissing(CellsFile.NAME, where); // that there are cells
        assertThat(told ? cellsOf(recovered) : cells)
                .isIn(cells, isMissing(CellsFile.NAME, where) ? cellsBefore : cells);
        Optional<Checkpoint> found = Checkpoint.read(recovered);
        if (!found.equals(checkpoint) && !isMissing(CheckpointFile.NAME, where)) {
            throw new AssertionError("another checkpoint: " + found);
        }
        if (last == lastIndex) {
            return Verdict.EVERYTHING;
        }
        if (report.cutBytes() > 0) {
            assertThat(report.text()).contains("may have been acknowledged");
            assertThat(recovered.files()).containsAll(List.of(report.cutFile().split(", ")));
        }
        return Verdict.CUT;
    }

    private boolean isMissing(String file, Stretch... where) {
        for (Stretch stretch : where) {
            if (stretch.file().equals(file)) {
                return true;
            }
        }
        return false;
    }

    /** Up to which index something that is intact says that the log was durable. On a closed log: everything. */
    private long provedIndex(Stretch... where) {
        if (closed && Stream.of(where).noneMatch(Stretch::maySpareNoMark)) {
            return lastIndex;
        }
        long proved = firstIndex - 1;
        for (Witness witness : witnesses) {
            boolean intact = true;
            for (Stretch stretch : where) {
                intact &= !stretch.holds(witness);
            }
            proved = intact ? Math.max(proved, witness.watermark()) : proved;
        }
        return proved;
    }

    @Override
    public String toString() {
        return (closed ? "a closed log" : "a crashed log") + " of records " + firstIndex + " to " + lastIndex
                + ", marked up to " + markedIndex + ", in " + disk.files().size() + " files";
    }
}
