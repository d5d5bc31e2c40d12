package io.plog.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads one directory of a log, forward and without changing anything, for {@link LogAnalysis}, which decides what it means.
 *
 * <p>Segments are taken in order of their numbers. Each but the last in use ends with a seal, and a seal is written only
 * when the next segment exists; so the first segment without a seal is the <em>active</em> one, and what follows it was
 * prepared ahead of time and holds nothing.
 *
 * <p>Use: {@link #list}, {@link #readHead}; then {@link #begin}, and {@link #advance} from record to record as long as each has
 * its turn; then {@link #stop}, which reads the rest.
 */
final class StripeAnalysis implements Closeable {
    private final Storage storage;
    private final StripeId id;
    private final FileWindow window = new FileWindow();
    private final TreeSet<Long> present = new TreeSet<>();
    private final List<SegmentState> segments = new ArrayList<>();
    private final List<SegmentState> superseded = new ArrayList<>();
    private final List<SegmentHeader> spares = new ArrayList<>();
    private final List<String> discards = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private @Nullable HeadFile head;
    private @Nullable LogDamagedException broken;
    private @Nullable LogDamagedException unsealed;

    // The record that has its turn next, of a type or another; none at the end.
    private @Nullable SegmentReading reading;
    private boolean atTornSeal;
    private long nextSegment;
    private boolean isData;
    private long index;
    private long offset;

    // Where this directory's part of the log ends, if that is before its valid records do.
    private int cutSegment = -1;
    private long cutOffset;
    private boolean cutAtTornSeal;

    StripeAnalysis(Storage storage, StripeId id) {
        this.storage = storage;
        this.id = id;
    }

    Storage storage() {
        return storage;
    }

    StripeId id() {
        return id;
    }

    /** What it is called in a message about a log that has several. */
    String name() {
        return storage.describe();
    }

    void list() throws IOException {
        for (String name : storage.list()) {
            long number = SegmentHeader.numberOf(name);
            if (number > 0) {
                present.add(number);
            } else if (name.endsWith(LogFiles.TEMPORARY_SUFFIX)) {
                discards.add(name);
            }
        }
    }

    @Nullable
    HeadFile readHead() throws IOException {
        head = HeadFile.read(storage);
        return head;
    }

    /**
     * Without a head, or without that of the first directory, there can be no records, one segment at most, and nothing else:
     * the remains of a creation that was not finished.
     *
     * @return what there is instead, or null
     */
    @Nullable
    String discardUnfinishedCreation() throws IOException {
        if (storage.list().contains(CheckpointFile.NAME)) {
            return "there is a checkpoint";
        }
        for (long number : present) {
            String name = SegmentHeader.fileName(number);
            if (number > 1) {
                return "there is " + name;
            }
            try (StorageFile file = storage.open(name, Storage.Access.READ)) {
                if (!isZeroBehindHeader(file)) {
                    return name + " holds records";
                }
            }
            discards.add(name);
        }
        if (head != null) {
            discards.add(HeadFile.NAME);
        }
        return null;
    }

    private static boolean isZeroBehindHeader(StorageFile file) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocateDirect(SegmentHeader.BLOCK_BYTES * 16);
        long at = SegmentHeader.BLOCK_BYTES;
        while (file.read(chunk.clear(), at) > 0) {
            at += chunk.position();
            if (Zeros.count(chunk, 0, chunk.position()) < chunk.position()) {
                return false;
            }
        }
        return true;
    }

    // ---- Forward, record by record ----

    /** Goes to the first record. */
    void begin(HeadFile known) throws IOException {
        for (long dropped : present.headSet(known.firstSegment())) {
            discards.add(SegmentHeader.fileName(dropped));
        }
        nextSegment = known.firstSegment();
        // What is left in front of the first record of a striped log is read over, and may begin anywhere.
        if (enterNext(known, id.isStriped() ? 1 : known.firstIndex())) {
            advance();
        }
    }

    /** Goes to the next record, marks included, through one segment after the other. */
    void advance() throws IOException {
        HeadFile known = head;
        while (known != null && (reading != null || atTornSeal)) {
            if (reading != null && reading.next()) {
                isData = reading.record().isData();
                index = reading.record().index;
                offset = reading.offset();
                return;
            }
            if (reading != null && endSegment(reading)) {
                return;
            }
            atTornSeal = false;
            SegmentState last = segments.get(segments.size() - 1);
            if (!last.sealed() || !enterNext(known, last.nextIndex())) {
                return;
            }
        }
    }

    /** Returns whether the seal is next, of which the second copy alone is intact. */
    private boolean endSegment(SegmentReading ended) throws IOException {
        SegmentState state = ended.state();
        ended.close();
        reading = null;
        segments.add(state);
        atTornSeal = state.isTornSeal();
        if (atTornSeal) {
            notes.add(state.file() + ": one of the two copies of the seal is damaged; no record is missing");
            isData = false;
            index = state.nextIndex();
            offset = state.endOffset();
        }
        return atTornSeal;
    }

    private boolean enterNext(HeadFile known, long firstIndex) throws IOException {
        long number = nextSegment++;
        String name = SegmentHeader.fileName(number);
        StorageFile file;
        try {
            file = storage.open(name, Storage.Access.READ);
        } catch (NoSuchFileException missing) {
            String why = segments.isEmpty()
                    ? "this file, which " + HeadFile.NAME + " names as the first"
                    : "this file, because the segment before it is sealed";
            broken = damaged(name, 0, why, "no such file");
            return false;
        }
        try {
            SegmentHeader header = usableHeader(file, name, known, number);
            if (header == null) {
                file.close();
                return false;
            }
            reading = new SegmentReading(file, name, header, window, firstIndex, header.segmentBytes());
            return true;
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** The header of a segment in use; null if it is {@link #broken}. */
    private @Nullable SegmentHeader usableHeader(StorageFile file, String name, HeadFile known, long number)
            throws IOException {
        StringBuilder problem = new StringBuilder();
        SegmentHeader header = readHeader(file, known, number, problem);
        if (header == null) {
            broken = damaged(name, 0, "the header of segment " + number, problem.toString());
            return null;
        }
        if (file.size() < header.segmentBytes()) {
            broken =
                    damaged(name, file.size(), "a file of " + header.segmentBytes() + " bytes", file.size() + " bytes");
            return null;
        }
        if (file.size() > header.segmentBytes()) {
            notes.add(name + ": " + (file.size() - header.segmentBytes())
                    + " bytes behind the segment's end are none of the log's and are ignored");
        }
        return header;
    }

    private @Nullable SegmentHeader readHeader(StorageFile file, HeadFile known, long number, StringBuilder problem)
            throws IOException {
        SegmentHeader header = SegmentHeader.read(file, problem);
        if (header == null) {
            return null;
        }
        if (header.segment() != number) {
            problem.append("the header of segment ").append(header.segment());
            return null;
        }
        if (!header.logId().equals(known.logId())) {
            problem.append("a segment of another log, ").append(header.logId());
            return null;
        }
        if (!header.stripe().equals(id)) {
            problem.append("a segment of ").append(header.stripe());
            return null;
        }
        return header;
    }

    /** Whether there is no record that could have its turn. */
    boolean isAtEnd() {
        return reading == null && !atTornSeal;
    }

    /** Whether the record that has its turn next is one of the caller's and no mark. */
    boolean isAtData() {
        return isData;
    }

    /** The index of the record that has its turn next. */
    long index() {
        return index;
    }

    /** The file of the record that has its turn next. */
    String file() {
        return SegmentHeader.fileName(nextSegment - 1);
    }

    /** Where in its file the record that has its turn next begins. */
    long offset() {
        return offset;
    }

    // ---- The end ----

    /** The record that had its turn next, and all behind it, are not part of the log. Reads the rest. */
    void stop() throws IOException {
        HeadFile known = head;
        if (known == null) {
            return;
        }
        if (!isAtEnd()) {
            cutSegment = atTornSeal ? segments.size() - 1 : segments.size();
            cutOffset = offset;
            cutAtTornSeal = atTornSeal;
        }
        while (!isAtEnd()) {
            advance();
        }
        if (broken == null) {
            long next = nextSegment;
            for (long number : present.tailSet(next)) {
                readSpare(known, number, next);
            }
        }
    }

    /** A segment behind the active one: prepared ahead of time and unused, or else the active one must be damaged. */
    private void readSpare(HeadFile known, long number, long expectedNumber) throws IOException {
        String name = SegmentHeader.fileName(number);
        try (StorageFile file = storage.open(name, Storage.Access.READ)) {
            StringBuilder problem = new StringBuilder();
            SegmentHeader header = readHeader(file, known, number, problem);
            if (header == null || file.size() != header.segmentBytes()) {
                notes.add(name + ": prepared but unusable (" + problem + "); it held nothing and is prepared again");
                discards.add(name);
                return;
            }
            TailEvidence content = TailEvidence.search(file, header, window, SegmentHeader.BLOCK_BYTES, 0);
            if (content.witnessOffset() >= 0) {
                SegmentState active = segments.get(segments.size() - 1);
                unsealed = damaged(
                        active.file(),
                        active.endOffset(),
                        "record " + active.nextIndex() + (id.isStriped() ? " or a later one," : "")
                                + " or a seal, because " + name + " holds records",
                        active.stopReason());
            } else if (content.isNonZeroFrom(SegmentHeader.BLOCK_BYTES)) {
                notes.add(name + ": prepared, but not all zeros; it held no record and is prepared again");
                discards.add(name);
            } else if (number == expectedNumber + spares.size()) {
                spares.add(header);
            } else {
                discards.add(name);
            }
        }
    }

    /**
     * Whether the directory still holds what was read: a writer changes nothing but its active segment, the names of segments
     * and the head. May say no where the answer would take as long as reading all of it again.
     */
    boolean isStillSo() throws IOException {
        if (isCut() || !superseded.isEmpty()) {
            return false;
        }
        TreeSet<Long> presentNow = new TreeSet<>();
        for (String name : storage.list()) {
            if (SegmentHeader.numberOf(name) > 0) {
                presentNow.add(SegmentHeader.numberOf(name));
            }
        }
        return presentNow.equals(present)
                && Objects.equals(HeadFile.read(storage), head)
                && readAgain(last()).equals(last());
    }

    private SegmentState readAgain(SegmentState state) throws IOException {
        window.reset();
        SegmentHeader header = state.header();
        try (StorageFile file = storage.open(state.file(), Storage.Access.READ);
                SegmentReading again = new SegmentReading(
                        file, state.file(), header, window, state.firstIndex(), header.segmentBytes())) {
            while (again.next()) {}
            return again.state();
        }
    }

    /**
     * Takes what does not belong to the log out of {@link #segments}.
     *
     * @param missing the index of the first record that no directory has
     */
    void cut(long missing) throws IOException {
        if (cutSegment < 0) {
            return;
        }
        SegmentState whole = segments.get(cutSegment);
        superseded.addAll(segments.subList(cutSegment + 1, segments.size()));
        segments.subList(cutSegment, segments.size()).clear();
        try (StorageFile file = storage.open(whole.file(), Storage.Access.READ);
                SegmentReading kept =
                        new SegmentReading(file, whole.file(), whole.header(), window, whole.firstIndex(), cutOffset)) {
            while (kept.next()) {}
            segments.add(kept.state().withoutRest("something behind record " + missing + ", which is missing"));
        }
    }

    private LogDamagedException damaged(String file, long at, String expected, String found) {
        return new LogDamagedException(file, at, expected, found, LogDamagedException.RESTORE).in(id, name());
    }

    /** Closes what is being read, if that ended early. */
    @Override
    public void close() throws IOException {
        SegmentReading open = reading;
        reading = null;
        atTornSeal = false;
        if (open != null) {
            open.close();
        }
    }

    // ---- What was found ----

    @Nullable
    HeadFile head() {
        return head;
    }

    /** Why it could not be read to its end; null if it could. */
    @Nullable
    LogDamagedException broken() {
        return broken;
    }

    /** Set if a segment holds records although the one before it does not end with a seal. */
    @Nullable
    LogDamagedException unsealed() {
        return unsealed;
    }

    /** Whether its valid records go on behind the end of the log. */
    boolean isCut() {
        return cutSegment >= 0;
    }

    /** Whether the record that the log lacks may have stood here: nothing valid behind it says otherwise. */
    boolean mayHold() {
        return cutSegment < 0 || cutAtTornSeal;
    }

    /** Where the record that the log lacks would have stood, if it stood here. */
    SegmentState lastBeforeCut() {
        return segments.get(cutSegment < 0 ? segments.size() - 1 : cutSegment);
    }

    /** Whether nothing but zeros follows the valid records. */
    boolean endsCleanly() {
        return !cutAtTornSeal && unsealed == null && !lastBeforeCut().isTorn();
    }

    /** The segments that hold the log, the active one last; empty if there is no log yet. */
    List<SegmentState> segments() {
        return segments;
    }

    /** Segments behind the active one of which nothing belongs to the log, in order. */
    List<SegmentState> superseded() {
        return superseded;
    }

    /** The active segment. */
    SegmentState last() {
        return segments.get(segments.size() - 1);
    }

    /** Usable segments prepared ahead of time, in order, following those in use. */
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

    /** Whether it was closed in order and nothing happened since. */
    boolean isClosed() {
        return !segments.isEmpty() && !isCut() && last().closed();
    }

    /** The length of the largest segment in use; at least a block. */
    long largestSegmentBytes() {
        long largest = SegmentHeader.BLOCK_BYTES;
        for (SegmentState segment : segments) {
            largest = Math.max(largest, segment.header().segmentBytes());
        }
        return largest;
    }
}
