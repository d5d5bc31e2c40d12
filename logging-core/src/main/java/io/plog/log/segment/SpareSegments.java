package io.plog.log.segment;

import io.plog.log.file.FileWindow;
import io.plog.log.file.HeadFile;
import io.plog.log.file.ReadAround;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.StripeId;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads the segments behind the active one. They were prepared ahead of time and must be empty: if one begins with a record, the
 * active segment is damaged, because it lost its seal.
 */
public final class SpareSegments {
    private final Storage storage;
    private final StripeId id;
    private final FileWindow window;
    private final List<SegmentHeader> usable = new ArrayList<>();
    private final List<String> discards = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private long least;
    private IndexBound bound = IndexBound.NONE;
    private long bytesBefore;
    private long lastSearched;
    private @Nullable LogDamagedException unsealed;

    SpareSegments(Storage storage, StripeId id, FileWindow window) {
        this.storage = storage;
        this.id = id;
        this.window = window;
    }

    /**
     * Reads them all. Call at most once.
     *
     * @param numbers the numbers of the segments, from their names
     * @param next the number that follows the active segment's
     * @param indexes how high an index can be
     * @param searched up to this number segments are searched for what went astray; of the others the beginning is read
     */
    void read(
            HeadFile known, SortedSet<Long> numbers, long next, SegmentState active, IndexBound indexes, long searched)
            throws IOException {
        lastSearched = searched;
        least = active.nextIndex();
        bound = indexes;
        bytesBefore = active.header().segmentBytes() - active.endOffset();
        for (long number : numbers) {
            try (Storage.FileHandle file = ReadAround.open(storage, SegmentHeader.fileName(number))) {
                read(known, number, next, file, active);
                bytesBefore += file.size();
            }
        }
    }

    private void read(HeadFile known, long number, long next, Storage.FileHandle file, SegmentState active)
            throws IOException {
        String name = SegmentHeader.fileName(number);
        StringBuilder problem = new StringBuilder();
        SegmentHeader header = known.headerOf(file, id, number, problem);
        boolean begins = header != null && beginsWithRecord(file, header);
        boolean isUsed = header != null && !begins && number <= lastSearched && !isEmpty(file, header, window);
        if (header == null ? seemsToHoldRecords(file, name) : begins || (isUsed && holdsWitness(file, header))) {
            String holds = header == null
                    ? ", without a header of this log (" + problem + "), seems to hold records"
                    : " holds records";
            unsealed = lostSeal(active, name + holds);
        } else if (header == null) {
            notes.add(name + ": no segment of this log (" + problem + "); an opening sets it aside");
            discards.add(name);
        } else if (file.size() != header.segmentBytes()) {
            notes.add(name + ": prepared but too short or too long; it held nothing and is prepared again");
            discards.add(name);
        } else if (isUsed || !ReadAround.lostIn(file, 0, header.segmentBytes()).isEmpty()) {
            notes.add(name + ": prepared, but not as it was left; it held no record and is prepared again");
            discards.add(name);
        } else if (number == next + usable.size()) {
            usable.add(header);
        } else {
            discards.add(name);
        }
    }

    /** A writer begins at the first place. */
    private boolean beginsWithRecord(Storage.FileHandle file, SegmentHeader header) throws IOException {
        RecordHeader first = new RecordHeader();
        window.reset();
        return window.require(file, SegmentHeader.BLOCK_BYTES, RecordHeader.BYTES) == RecordHeader.BYTES
                && first.decode(window.buffer(), window.at(SegmentHeader.BLOCK_BYTES), header.epoch())
                && isBehindActive(first, 0);
    }

    /**
     * If a disk lost the first group, what follows says that the active segment's next record was durable; what says nothing of
     * the kind was reached by no writer.
     */
    private boolean holdsWitness(Storage.FileHandle file, SegmentHeader header) throws IOException {
        IndexBound here = new IndexBound(bound.highest(least, bytesBefore), 0);
        return TailEvidence.search(file, header, window, SegmentHeader.BLOCK_BYTES, least, here)
                        .watermark()
                >= least;
    }

    /**
     * Whether a record from an index on seems to stand in a segment whose header, and with it the epoch, is lost: a seal that a
     * disk writes into the place of the next segment's header takes both. What is left over from earlier uses has lower indexes,
     * but not a whole file that is in the wrong place, if its records were cut.
     */
    private boolean seemsToHoldRecords(Storage.FileHandle file, String name) throws IOException {
        if (SegmentHeader.read(file, name, new StringBuilder()) != null) {
            return false;
        }
        RecordHeader candidate = new RecordHeader();
        window.reset();
        long at = SegmentHeader.BLOCK_BYTES;
        while (window.require(file, at, RecordHeader.BYTES) == RecordHeader.BYTES) {
            if (window.buffer().getLong(window.at(at)) == 0) {
                at += window.zerosFrom(at) & -RecordHeader.ALIGNMENT;
            } else if (candidate.decodeOfAnyEpoch(window.buffer(), window.at(at))
                    && candidate.isData()
                    && isBehindActive(candidate, at)
                    && hasRightPayload(file, at, candidate)) {
                return true;
            } else {
                at += RecordHeader.ALIGNMENT;
            }
        }
        return false;
    }

    private boolean isBehindActive(RecordHeader record, long at) {
        return record.index >= least && record.index <= bound.highest(least, bytesBefore + at);
    }

    private boolean hasRightPayload(Storage.FileHandle file, long at, RecordHeader record) throws IOException {
        if (!record.isAligned() || at + record.totalBytes() > file.size()) {
            return false;
        }
        window.require(file, at, RecordHeader.BYTES + record.length);
        return window.crcOf(at + RecordHeader.BYTES, record.length) == record.payloadCrc;
    }

    /** Whether no writer has written to a segment: nothing in it is right for its epoch. */
    public static boolean isEmpty(Storage.FileHandle file, SegmentHeader header, FileWindow window) throws IOException {
        return !TailEvidence.search(file, header, window, SegmentHeader.BLOCK_BYTES, 1, IndexBound.NONE)
                .hasRemainsFrom(SegmentHeader.BLOCK_BYTES);
    }

    private LogDamagedException lostSeal(SegmentState active, String why) {
        String expected = "record " + active.nextIndex() + (id.isStriped() ? " or a later one," : "")
                + " or a seal, because " + why;
        return new LogDamagedException(
                        active.file(), active.endOffset(), expected, active.stopReason(), LogDamagedException.RESTORE)
                .in(id.number(), storage.describe());
    }

    /** The segments that can be used, in order, without a gap. */
    List<SegmentHeader> usable() {
        return usable;
    }

    /** The files that hold nothing and cannot be used. */
    List<String> discards() {
        return discards;
    }

    /** Why files cannot be used, a sentence each. */
    List<String> notes() {
        return notes;
    }

    /** The damage of the active segment; null if no segment behind it holds records. */
    @Nullable
    LogDamagedException unsealed() {
        return unsealed;
    }
}
