package io.plog.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log's directory and decides what it holds, without changing anything. Recovery, reading and inspection all rest
 * on this one decision; {@code docs/log-format.md} has it as a table.
 *
 * <p>Segments are taken in order of their numbers. Each but the last in use ends with a seal, and a seal is written only
 * when the next segment exists; so the first segment without a seal is the <em>active</em> one, and what follows it was
 * prepared ahead of time and holds nothing.
 */
final class LogAnalysis {
    static final String TEMPORARY_SUFFIX = ".tmp";
    static final String CUT_PREFIX = "cut-";

    private final Storage storage;
    private final FileWindow window = new FileWindow();
    private final TreeSet<Long> present = new TreeSet<>();
    private final List<SegmentState> segments = new ArrayList<>();
    private final List<SegmentHeader> spares = new ArrayList<>();
    private final List<String> discards = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private @Nullable HeadFile head;
    private long checkpoint;
    private @Nullable LogDamagedException damage;

    private LogAnalysis(Storage storage) {
        this.storage = storage;
    }

    /**
     * Reads everything.
     *
     * @throws IOException if the operating system fails to read; damage is not thrown but {@link #damage} then
     */
    static LogAnalysis of(Storage storage) throws IOException {
        LogAnalysis analysis = new LogAnalysis(storage);
        try {
            analysis.read();
        } catch (LogDamagedException e) {
            analysis.damage = e;
        }
        return analysis;
    }

    private void read() throws IOException {
        for (String name : storage.list()) {
            long number = SegmentHeader.numberOf(name);
            if (number > 0) {
                present.add(number);
            } else if (name.endsWith(TEMPORARY_SUFFIX)) {
                discards.add(name);
            }
        }
        HeadFile found = HeadFile.read(storage);
        if (found == null) {
            discardUnfinishedCreation();
            return;
        }
        head = found;
        checkpoint = readCheckpoint(found);
        for (long dropped : present.headSet(found.firstSegment())) {
            discards.add(SegmentHeader.fileName(dropped));
        }
        long next = readSegmentsInUse(found);
        for (long number : present.tailSet(next)) {
            readSpare(number, next);
        }
    }

    private long readCheckpoint(HeadFile head) throws IOException {
        Checkpoint found = CheckpointFile.read(storage, head);
        long index = found == null ? 0 : found.index();
        if (index < head.checkpoint()) {
            throw new LogDamagedException(
                    CheckpointFile.NAME,
                    0,
                    "the checkpoint at index " + head.checkpoint() + " or a later one, because the records before "
                            + head.firstIndex() + " were dropped for it",
                    found == null ? "no such file" : "one at index " + index,
                    LogDamagedException.RESTORE);
        }
        return index;
    }

    /**
     * The head is the last thing that the creation of a log writes; before it there can be no records, one segment at most,
     * and nothing else.
     */
    private void discardUnfinishedCreation() throws IOException {
        if (storage.list().contains(CheckpointFile.NAME)) {
            throw new LogDamagedException(
                    HeadFile.NAME,
                    0,
                    "this file, because there is a checkpoint",
                    "no such file",
                    LogDamagedException.RESTORE);
        }
        for (long number : present) {
            String name = SegmentHeader.fileName(number);
            if (number > 1) {
                throw new LogDamagedException(
                        HeadFile.NAME,
                        0,
                        "this file, because there is " + name,
                        "no such file",
                        LogDamagedException.RESTORE);
            }
            try (StorageFile file = storage.open(name, Storage.Access.READ)) {
                if (!isZeroBehindHeader(file)) {
                    throw new LogDamagedException(
                            HeadFile.NAME,
                            0,
                            "this file, because " + name + " holds records",
                            "no such file",
                            LogDamagedException.RESTORE);
                }
            }
            discards.add(name);
        }
    }

    /** Reads from the first segment to the active one; returns the number after it. */
    private long readSegmentsInUse(HeadFile head) throws IOException {
        long number = head.firstSegment();
        long index = head.firstIndex();
        while (true) {
            SegmentState state = readSegment(head, number, index);
            segments.add(state);
            number++;
            index = state.nextIndex();
            if (!state.sealed()) {
                judgeEnd(state);
                return number;
            }
            if (state.isTornSeal()) {
                notes.add(state.file() + ": one of the two copies of the seal is damaged; no record is missing");
            }
        }
    }

    private SegmentState readSegment(HeadFile head, long number, long firstIndex) throws IOException {
        String name = SegmentHeader.fileName(number);
        try (StorageFile file = storage.open(name, Storage.Access.READ)) {
            StringBuilder problem = new StringBuilder();
            SegmentHeader header = readHeader(file, head, number, problem);
            if (header == null) {
                throw new LogDamagedException(
                        name, 0, "the header of segment " + number, problem.toString(), LogDamagedException.RESTORE);
            }
            if (file.size() < header.segmentBytes()) {
                throw new LogDamagedException(
                        name,
                        file.size(),
                        "a file of " + header.segmentBytes() + " bytes",
                        file.size() + " bytes",
                        LogDamagedException.RESTORE);
            }
            if (file.size() > header.segmentBytes()) {
                notes.add(name + ": " + (file.size() - header.segmentBytes())
                        + " bytes behind the segment's end are none of the log's and are ignored");
            }
            return SegmentState.read(file, name, header, window, firstIndex);
        } catch (NoSuchFileException missing) {
            String why = segments.isEmpty()
                    ? "this file, which " + HeadFile.NAME + " names as the first"
                    : "this file, because the segment before it is sealed";
            throw new LogDamagedException(name, 0, why, "no such file", LogDamagedException.RESTORE);
        }
    }

    private @Nullable SegmentHeader readHeader(StorageFile file, HeadFile head, long number, StringBuilder problem)
            throws IOException {
        SegmentHeader header = SegmentHeader.read(file, problem);
        if (header == null) {
            return null;
        }
        if (header.segment() != number) {
            problem.append("the header of segment ").append(header.segment());
            return null;
        }
        if (!header.logId().equals(head.logId())) {
            problem.append("a segment of another log, ").append(header.logId());
            return null;
        }
        return header;
    }

    private void judgeEnd(SegmentState active) throws IOException {
        if (checkpoint >= active.nextIndex() && !active.isDamaged()) {
            throw new LogDamagedException(
                    active.file(),
                    active.endOffset(),
                    "record " + active.nextIndex() + ", acknowledged as durable (" + CheckpointFile.NAME
                            + " holds the effect of all up to " + checkpoint + ")",
                    active.stopReason(),
                    LogDamagedException.RESTORE);
        }
        if (active.isDamaged()) {
            throw new LogDamagedException(
                    active.file(),
                    active.endOffset(),
                    "record " + active.nextIndex() + ", acknowledged as durable (the record at offset "
                            + active.tail().witnessOffset() + " says that all up to "
                            + active.tail().watermark() + " are)",
                    active.stopReason(),
                    LogDamagedException.RESTORE);
        }
        if (active.closed() && active.isTorn()) {
            notes.add(active.file() + ": one of the two copies of the closing mark is damaged; no record is missing");
        }
    }

    /** A segment behind the active one: prepared ahead of time and unused, or else the active one must be damaged. */
    private void readSpare(long number, long expectedNumber) throws IOException {
        String name = SegmentHeader.fileName(number);
        HeadFile known = head;
        if (known == null) {
            return;
        }
        try (StorageFile file = storage.open(name, Storage.Access.READ)) {
            StringBuilder problem = new StringBuilder();
            SegmentHeader header = readHeader(file, known, number, problem);
            if (header == null || file.size() != header.segmentBytes()) {
                notes.add(name + ": prepared but unusable (" + problem + "); it held nothing and is prepared again");
                discards.add(name);
                return;
            }
            TailEvidence content = TailEvidence.search(file, header, window, SegmentHeader.BLOCK_BYTES, 1);
            if (content.witnessOffset() >= 0) {
                SegmentState active = segments.get(segments.size() - 1);
                throw new LogDamagedException(
                        active.file(),
                        active.endOffset(),
                        "record " + active.nextIndex() + " or a seal, because " + name + " holds records",
                        active.stopReason(),
                        LogDamagedException.RESTORE);
            }
            if (content.isNonZeroFrom(SegmentHeader.BLOCK_BYTES)) {
                notes.add(name + ": prepared, but not all zeros; it held no record and is prepared again");
                discards.add(name);
            } else if (number == expectedNumber + spares.size()) {
                spares.add(header);
            } else {
                discards.add(name);
            }
        }
    }

    private static boolean isZeroBehindHeader(StorageFile file) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocateDirect(SegmentHeader.BLOCK_BYTES * 16);
        long at = SegmentHeader.BLOCK_BYTES;
        while (file.read(chunk.clear(), at) > 0) {
            at += chunk.position();
            chunk.flip();
            while (chunk.hasRemaining()) {
                if (chunk.get() != 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /** What is damaged, or null. If it is not null, {@link #segments} ends at the damage. */
    @Nullable
    LogDamagedException damage() {
        return damage;
    }

    /** The head, or null if there is no log yet. */
    @Nullable
    HeadFile head() {
        return head;
    }

    /** The index of the checkpoint, 0 if there is none. */
    long checkpoint() {
        return checkpoint;
    }

    /** The segments that hold the log, the active one last; empty if there is no log yet. */
    List<SegmentState> segments() {
        return segments;
    }

    /** The length of the largest segment in use; at least a block. */
    long largestSegmentBytes() {
        long largest = SegmentHeader.BLOCK_BYTES;
        for (SegmentState segment : segments) {
            largest = Math.max(largest, segment.header().segmentBytes());
        }
        return largest;
    }

    /** Usable segments prepared ahead of time, in order, following the active one. */
    List<SegmentHeader> spares() {
        return spares;
    }

    /** Files that hold nothing of the log and can be deleted. */
    List<String> discards() {
        return discards;
    }

    /** What else is worth telling, a sentence each. */
    List<String> notes() {
        return notes;
    }

    /** The index of the first record, or that it would have. */
    long firstIndex() {
        return head == null ? 1 : head.firstIndex();
    }

    /** One more than the index of the last valid record. */
    long nextIndex() {
        return segments.isEmpty()
                ? firstIndex()
                : segments.get(segments.size() - 1).nextIndex();
    }

    /** Every record up to this index was durable when the last intact watermark was written. */
    long markedIndex() {
        long marked = firstIndex() - 1;
        for (SegmentState segment : segments) {
            marked = Math.max(marked, segment.highestWatermark());
        }
        return Math.min(marked, nextIndex() - 1);
    }

    /** Whether the log was closed in order and nothing happened since. */
    boolean isCleanlyClosed() {
        return !segments.isEmpty() && segments.get(segments.size() - 1).closed();
    }
}
