package io.plog.log.segment;

import io.plog.log.file.CheckpointFile;
import io.plog.log.file.FileWindow;
import io.plog.log.file.HeadFile;
import io.plog.log.file.LogFiles;
import io.plog.log.file.ReadAround;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.Rewind;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.StripeId;
import io.plog.log.file.WriterClaim;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads one directory of a log forward and changes nothing. {@link LogAnalysis} decides what the content means.
 *
 * <p>Segments are taken in order of their numbers. Each but the last in use ends with a seal, and a seal is written only
 * when the next segment exists; so the first segment without a seal is the <em>active</em> one, and what follows it was
 * prepared ahead of time and holds nothing.
 *
 * <p>Use: {@link #list} and {@link #readHead}; then {@link #begin}; then {@link #advance} for each record that is next in the
 * log's order; then {@link #stop}, which reads the rest. For one thread.
 */
public final class StripeAnalysis implements Closeable {
    private final Storage storage;
    private final StripeId id;
    private final FileWindow window = new FileWindow();
    private final TreeSet<Long> present = new TreeSet<>();
    private final List<SegmentLinks.Link> unread = new ArrayList<>();
    private final List<SegmentState> segments = new ArrayList<>();
    private final Map<Long, SegmentLinks.Link> links = new HashMap<>(); // of these, by their numbers
    private final List<SegmentState> superseded = new ArrayList<>();
    private final boolean opens;
    private final SpareSegments spares;
    private final List<String> discards = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private @Nullable HeadFile headAsRead;
    private @Nullable HeadFile head; // the same, as the cuts behind it leave it
    private Rewinds rewinds = new Rewinds();
    private IndexBound bound = IndexBound.ONE_DIRECTORY;
    private @Nullable LogDamagedException broken;
    private @Nullable LogDamagedException lostCut;
    private @Nullable LogDamagedException shortOfCut;
    private @Nullable LogDamagedException lost;

    // The current record: a caller's or a control record. There is none at the end.
    private @Nullable SegmentReading reading;
    private boolean atTornSeal;
    private boolean closedForGood;
    private long nextSegment;
    private boolean isData;
    private long index;
    private long offset;

    // Set if valid records of this directory lie behind the end of the log: where the log ends.
    private int cutSegment = -1;
    private long cutOffset;
    private boolean cutAtTornSeal;

    /** @param opens whether what no writer can have written to is left unread */
    StripeAnalysis(Storage storage, StripeId id, boolean opens) {
        this.storage = storage;
        this.id = id;
        this.opens = opens;
        spares = new SpareSegments(storage, id, window);
    }

    public Storage storage() {
        return storage;
    }

    public StripeId id() {
        return id;
    }

    /** The directory's name in messages. */
    public String name() {
        return storage.describe();
    }

    /** Finds the segments by their names, and the temporary files. Call first. */
    void list() throws IOException {
        for (String name : storage.list()) {
            long number = SegmentHeader.numberOf(name);
            if (number > 0) {
                present.add(number);
            } else if (LogFiles.isTemporary(name)) {
                discards.add(name);
            }
        }
    }

    /**
     * Reads the head; null if there is none.
     *
     * @throws LogDamagedException if it is damaged
     */
    @Nullable
    HeadFile readHead() throws IOException {
        headAsRead = HeadFile.read(storage);
        head = headAsRead;
        return head;
    }

    /**
     * Finds out where the log was cut at its end. For a log of one directory: there are no cuts in a striped one.
     *
     * @return the head as the cuts leave it
     */
    HeadFile followRewinds(HeadFile known) throws IOException {
        rewinds = Rewinds.find(storage, id, known, present);
        if (rewinds.lost() > 0) {
            lostCut = lostCut(rewinds.lost(), present.contains(rewinds.lost()) ? "none" : "no such file");
        }
        HeadFile rewound = rewinds.apply(known);
        for (long number : rewinds.gone().tailSet(rewound.firstSegment(), true)) {
            discards.add(SegmentHeader.fileName(number));
        }
        if (rewinds.checks() != 0) {
            discards.remove(CheckpointFile.NEXT);
        }
        head = rewound;
        return rewound;
    }

    private LogDamagedException lostCut(long number, String found) {
        String expected =
                "the header of a segment of a log that was cut at its end: without it, what was cut seems to be there";
        return damaged(SegmentHeader.fileName(number), 0, expected, found);
    }

    /** Whether cuts were made since the head was written. */
    public boolean isRewound() {
        return !Objects.equals(head, headAsRead);
    }

    /** What was cut since the head was written. */
    public Rewinds rewinds() {
        return rewinds;
    }

    /** A segment, for readers. */
    public SegmentLinks.Link linkOf(SegmentState state) {
        SegmentLinks.Link link = links.get(state.header().segment());
        return link != null ? link : rewinds.link(state.header(), state.firstIndex());
    }

    /** How many records the segments of this directory can hold. */
    long mostRecords() throws IOException {
        long bytes = 0;
        for (long number : present) {
            try {
                bytes += storage.sizeOf(SegmentHeader.fileName(number));
            } catch (NoSuchFileException ignored) {
                // It was dropped meanwhile, and so are its records.
            }
        }
        return bytes / RecordHeader.BYTES;
    }

    /**
     * Lists as {@link #discards} what an unfinished creation left behind. For a log whose first directory has no head.
     *
     * @return what else the directory holds, or null if it holds nothing else
     */
    @Nullable
    String discardUnfinishedCreation() throws IOException {
        String content = UnfinishedCreation.contentBeyondIt(storage, present);
        if (content == null) {
            for (long number : present) {
                discards.add(SegmentHeader.fileName(number));
            }
            if (head != null) {
                discards.add(HeadFile.NAME);
            }
        }
        return content;
    }

    // ---- Forward, record by record ----

    /**
     * Goes to the first record, or to the first of the last segment of {@link CoveredSegments}: those before it are then
     * {@link #unread}.
     *
     * @param known the head, which says where the log begins
     * @param indexes how high an index can be behind the valid records
     * @param covered the index of the checkpoint, if what it covers need not be read; else 0
     */
    void begin(HeadFile known, IndexBound indexes, long covered) throws IOException {
        bound = indexes;
        for (long dropped : present.headSet(known.firstSegment())) {
            discards.add(SegmentHeader.fileName(dropped));
        }
        nextSegment = known.firstSegment();
        // In a striped log the first segment may begin with records that were dropped. They are skipped.
        long first = id.isStriped() ? 1 : known.firstIndex();
        if (covered > 0 && !id.isStriped()) {
            unread.addAll(CoveredSegments.find(storage, id, known, rewinds, covered));
        }
        if (!unread.isEmpty()) {
            SegmentLinks.Link begin = unread.remove(unread.size() - 1);
            nextSegment = begin.header().segment();
            first = begin.firstIndex();
        }
        if (enterNext(known, first)) {
            advance();
        }
    }

    /** Goes to the next record or mark, across the ends of segments. */
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
            SegmentState last = segments.get(segments.size() - 1);
            if (atTornSeal && !isCut()) {
                notes.add(last.file() + ": one of the two copies of the seal is damaged; no record is missing");
            }
            atTornSeal = false;
            if (shortOfCut != null || !last.sealed() || !enterNext(known, last.nextIndex())) {
                return;
            }
        }
    }

    /** Ends a segment. Returns true if the current record is now its seal, because only the second copy of the seal is intact. */
    private boolean endSegment(SegmentReading ended) throws IOException {
        Rewind cut = rewinds.endOf(nextSegment - 1);
        closedForGood = cut == null && opens && isClosedForGood(ended);
        SegmentState state = cut != null || closedForGood ? ended.stateWithoutRest() : ended.state();
        ended.close();
        reading = null;
        segments.add(state);
        if (cut != null && (!state.sealed() || state.nextIndex() != cut.firstIndex())) {
            String continued = SegmentHeader.fileName(rewinds.after(nextSegment - 1));
            String expected = "record " + state.nextIndex() + ", because " + continued
                    + " continues the log behind record " + (cut.firstIndex() - 1) + ", at offset " + cut.end();
            shortOfCut = damaged(state.file(), state.endOffset(), expected, state.stopReason());
            return false;
        }
        if (ended.endsAtLost() && !state.sealed() && !state.closed()) {
            String expected = "record " + state.nextIndex() + ", or the end of the log";
            lost = damaged(state.file(), state.endOffset(), expected, state.stopReason());
        }
        atTornSeal = state.isTornSeal();
        if (atTornSeal) {
            isData = false;
            index = state.nextIndex();
            offset = state.endOffset();
        }
        return atTornSeal;
    }

    /**
     * Whether the writer that closed the log says that it ends here, and nobody has opened it since: whoever does claims this
     * segment and those behind it before anything else. So nothing was written behind this place.
     */
    private boolean isClosedForGood(SegmentReading ended) throws IOException {
        WriterClaim claim = ended.closedAt() == 0 ? null : SegmentClaims.read(storage, ended.header());
        if (claim == null || claim.open() || claim.end() != ended.closedAt()) {
            return false;
        }
        for (long number : present.tailSet(nextSegment)) { // if a disk lost the later claim, then not on all
            SegmentHeader spare = SegmentHeader.read(storage, SegmentHeader.fileName(number));
            WriterClaim other = spare == null || spare.segment() != number ? null : SegmentClaims.read(storage, spare);
            if (other == null || !other.writer().equals(claim.writer())) {
                return false;
            }
        }
        return true;
    }

    private boolean enterNext(HeadFile known, long firstIndex) throws IOException {
        long number = rewinds.after(nextSegment - 1);
        nextSegment = number + 1;
        String name = SegmentHeader.fileName(number);
        Storage.FileHandle file;
        try {
            file = ReadAround.open(storage, name);
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
            SegmentLinks.Link link = rewinds.link(header, firstIndex);
            links.put(number, link);
            reading = new SegmentReading(file, name, link, window, bound);
            return true;
        } catch (IOException | RuntimeException e) {
            try (file) {
                throw e;
            }
        }
    }

    /** The header of a segment in use; null if it is {@link #broken}. */
    private @Nullable SegmentHeader usableHeader(Storage.FileHandle file, String name, HeadFile known, long number)
            throws IOException {
        StringBuilder problem = new StringBuilder();
        SegmentHeader header = known.headerOf(file, id, number, problem);
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

    /** Whether all records were read. */
    boolean isAtEnd() {
        return reading == null && !atTornSeal;
    }

    /** Whether the current record is a caller's, not a control record. */
    boolean isAtData() {
        return isData;
    }

    /** The index of the current record. */
    long index() {
        return index;
    }

    /** The file of the current record. */
    String file() {
        return SegmentHeader.fileName(nextSegment - 1);
    }

    /** The offset of the current record in its file, in bytes. */
    long offset() {
        return offset;
    }

    // ---- The end ----

    /** Ends the log before the current record, and reads what lies behind it. */
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
        if (broken == null && shortOfCut == null) {
            spares.read(known, present.tailSet(nextSegment), nextSegment, last(), bound, lastSearched());
            discards.addAll(spares.discards());
            notes.addAll(spares.notes());
            lookForLostCut(known);
        }
    }

    /** The log cannot end before a segment that continues it behind a cut, unless the header of the next is an older one. */
    private void lookForLostCut(HeadFile known) throws IOException {
        if (lostCut == null && nextSegment < known.rewound() && present.contains(nextSegment)) {
            SegmentHeader next = SegmentHeader.read(storage, SegmentHeader.fileName(nextSegment));
            if (next != null && next.segment() == nextSegment && !Rewinds.beginsRight(storage, next)) {
                lostCut = lostCut(nextSegment, "that of an earlier use");
            }
        }
    }

    /**
     * Up to which number prepared segments are searched. A group that went over a seal leaves something in its place; and a writer
     * that does not force may leave a later group in any of them after a power cut.
     */
    private long lastSearched() throws IOException {
        if (!opens) {
            return Long.MAX_VALUE;
        }
        if (closedForGood) {
            return 0;
        }
        WriterClaim claim = SegmentClaims.read(storage, last().header());
        if (claim == null || !claim.forces()) {
            return Long.MAX_VALUE;
        }
        return last().isTorn() || last().endsAtLeftovers() ? nextSegment : 0;
    }

    /**
     * Whether the directory still holds what was read. Checks what a writer changes: the active segment, the names of the
     * segments, the prepared ones, the head. May return false for an unchanged directory if a true answer takes a full read.
     * A writer acknowledges in order; so if the next record is not there, none is that it may acknowledge.
     */
    public boolean isStillSo() throws IOException {
        if (isCut() || !superseded.isEmpty()) {
            return false;
        }
        for (SegmentHeader spare : spares()) {
            if (!spare.equals(SegmentHeader.read(storage, SegmentHeader.fileName(spare.segment())))) {
                return false;
            }
        }
        return SegmentHeader.numbersIn(storage).equals(present)
                && Objects.equals(HeadFile.read(storage), headAsRead)
                && endsAsRead(last());
    }

    private boolean endsAsRead(SegmentState state) throws IOException {
        SegmentHeader header = state.header();
        try (Storage.FileHandle file = ReadAround.open(storage, state.file())) {
            SegmentScanner scanner = new SegmentScanner(file, header, window, state.nextIndex(), header.segmentBytes());
            scanner.startAt(state.endOffset());
            return !scanner.next();
        }
    }

    /**
     * Removes from {@link #segments} what is not part of the log.
     *
     * @param missing the index of the first record that no directory has
     */
    public void cut(long missing) throws IOException {
        if (cutSegment < 0) {
            return;
        }
        SegmentState whole = segments.get(cutSegment);
        superseded.addAll(segments.subList(cutSegment + 1, segments.size()));
        segments.subList(cutSegment, segments.size()).clear();
        SegmentLinks.Link link = rewinds.link(whole.header(), whole.firstIndex());
        links.put(whole.header().segment(), link); // without the places of what is cut
        try (Storage.FileHandle file = ReadAround.open(storage, whole.file());
                SegmentReading kept = new SegmentReading(file, whole.file(), link.endingAt(cutOffset), window, bound)) {
            while (kept.next()) {}
            segments.add(kept.stateBeforeCut("something behind record " + missing + ", which is missing"));
        }
    }

    private LogDamagedException damaged(String file, long at, String expected, String found) {
        return new LogDamagedException(file, at, expected, found, LogDamagedException.RESTORE).in(id.number(), name());
    }

    /** Closes the segment that is being read, if any. */
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

    public @Nullable HeadFile head() {
        return head;
    }

    /** Why the directory could not be read to its end; null if it could. */
    public @Nullable LogDamagedException broken() {
        return broken;
    }

    /** Set if the header of a segment is lost that says where the log was cut. */
    public @Nullable LogDamagedException lostCut() {
        return lostCut;
    }

    /** Set if the segment that is read last ends before the place from which a later one continues the log. */
    @Nullable
    LogDamagedException shortOfCut() {
        return shortOfCut;
    }

    /** Set if the disk cannot read what stands where the directory ends: a record may, and no torn write looks so. */
    @Nullable
    LogDamagedException lost() {
        return isCut() ? null : lost;
    }

    /** Set if a segment holds records although the one before it does not end with a seal. */
    @Nullable
    LogDamagedException unsealed() {
        return spares.unsealed();
    }

    /**
     * Set if the directory ends at a seal of which the first copy is damaged, although the segment behind it holds something: that
     * was stable, so the damage is no torn write, and a record may have stood in front of it.
     *
     * @param missing the index of the first record that no directory has
     */
    @Nullable
    LogDamagedException damagedSeal(long missing) {
        if (!cutAtTornSeal || cutSegment + 1 >= segments.size()) {
            return null;
        }
        SegmentState sealed = segments.get(cutSegment);
        SegmentState next = segments.get(cutSegment + 1);
        boolean wasUsed = next.endOffset() > SegmentHeader.BLOCK_BYTES || next.isTorn();
        String why = "record " + missing + " or the first copy of a seal, because " + next.file() + " was written to";
        return wasUsed ? damaged(sealed.file(), sealed.endOffset(), why, sealed.stopReason()) : null;
    }

    /** Whether valid records lie behind the end of the log. */
    public boolean isCut() {
        return cutSegment >= 0;
    }

    /** Whether the first missing record may have been in this directory: no valid record follows where the log ends. */
    boolean mayHold() {
        return cutSegment < 0 || cutAtTornSeal;
    }

    /** The segment that would hold the first missing record if that was written to this directory. */
    SegmentState lastBeforeCut() {
        return segments.get(cutSegment < 0 ? segments.size() - 1 : cutSegment);
    }

    /** Whether nothing but zeros follows the valid records. */
    public boolean endsCleanly() {
        return !cutAtTornSeal && unsealed() == null && !lastBeforeCut().isTorn();
    }

    /** Segments before {@link #segments} that were not read, since a checkpoint covers all of their records; in order. */
    public List<SegmentLinks.Link> unread() {
        return unread;
    }

    /** The segments that hold the log, the active one last; empty if there is no log yet. */
    public List<SegmentState> segments() {
        return segments;
    }

    /** Segments behind the active one that hold records, none of them part of the log; in order. */
    public List<SegmentState> superseded() {
        return superseded;
    }

    public SegmentState last() {
        return segments.get(segments.size() - 1);
    }

    /** The segment that holds the very end: the last but one, if nothing was written behind its seal. */
    public SegmentState end() {
        int last = segments.size() - 1;
        boolean empty = last().endOffset() == SegmentHeader.BLOCK_BYTES;
        return segments.get(empty && last > 0 ? last - 1 : last);
    }

    /** Usable segments that were prepared ahead of time, in order. */
    public List<SegmentHeader> spares() {
        return spares.usable();
    }

    /** Files that hold no part of the log and can be deleted. */
    public List<String> discards() {
        return discards;
    }

    /** Findings that are no damage, a sentence each. */
    List<String> notes() {
        return notes;
    }

    /** Whether the log was closed in order and this directory has not changed since. */
    public boolean isClosed() {
        return !segments.isEmpty() && !isCut() && shortOfCut == null && last().closed();
    }

    /** Whether the writer that closed it says so, too. */
    boolean isClosedForGood() {
        return closedForGood;
    }

    /** The length of the largest segment in use, in bytes; at least a block. */
    long largestSegmentBytes() {
        long largest = SegmentHeader.BLOCK_BYTES;
        for (SegmentState segment : segments) {
            largest = Math.max(largest, segment.header().segmentBytes());
        }
        return largest;
    }
}
