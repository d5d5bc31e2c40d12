package io.plog.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads the segments behind the active one. They were prepared ahead of time and must be empty: if one begins with a record, the
 * active segment is damaged, because it lost its seal.
 */
final class SpareSegments {
    private final Storage storage;
    private final StripeId id;
    private final FileWindow window;
    private final List<SegmentHeader> usable = new ArrayList<>();
    private final List<String> discards = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
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
     * @param bound how high an index can be
     */
    void read(HeadFile known, SortedSet<Long> numbers, long next, SegmentState active, IndexBound bound)
            throws IOException {
        long bytesBefore = active.header().segmentBytes() - active.endOffset();
        for (long number : numbers) {
            bytesBefore += read(known, number, next, active, bound.highest(active.nextIndex(), bytesBefore));
        }
    }

    /** Returns how many bytes it has for records. */
    private long read(HeadFile known, long number, long next, SegmentState active, long highestIndex)
            throws IOException {
        String name = SegmentHeader.fileName(number);
        try (Storage.FileHandle file = storage.open(name, Storage.Access.READ)) {
            StringBuilder problem = new StringBuilder();
            SegmentHeader header = SegmentHeaderCheck.read(file, known, id, number, problem);
            if (header == null || file.size() != header.segmentBytes()) {
                notes.add(name + ": prepared but unusable (" + problem + "); it held nothing and is prepared again");
                discards.add(name);
                return 0;
            }
            if (beginsWithRecord(file, header, active.nextIndex(), highestIndex)) {
                unsealed = lostSeal(active, name);
            } else if (!isEmpty(file, header, window)) {
                notes.add(name + ": prepared, but not as it was left; it held no record and is prepared again");
                discards.add(name);
            } else if (number == next + usable.size()) {
                usable.add(header);
            } else {
                discards.add(name);
            }
            return header.segmentBytes();
        }
    }

    /** Its first place alone counts: a writer begins there, and what stands elsewhere was not reached by any. */
    private boolean beginsWithRecord(Storage.FileHandle file, SegmentHeader header, long least, long most)
            throws IOException {
        RecordHeader first = new RecordHeader();
        window.reset();
        return window.require(file, SegmentHeader.BLOCK_BYTES, RecordHeader.BYTES) == RecordHeader.BYTES
                && first.decode(window.buffer(), window.at(SegmentHeader.BLOCK_BYTES), header.epoch())
                && first.index >= least
                && first.index <= most;
    }

    /** Whether no writer has written to a segment: nothing in it is right for its epoch. */
    static boolean isEmpty(Storage.FileHandle file, SegmentHeader header, FileWindow window) throws IOException {
        return !TailEvidence.search(file, header, window, SegmentHeader.BLOCK_BYTES, 1, IndexBound.NONE)
                .hasRemainsFrom(SegmentHeader.BLOCK_BYTES);
    }

    private LogDamagedException lostSeal(SegmentState active, String follower) {
        String expected = "record " + active.nextIndex() + (id.isStriped() ? " or a later one," : "")
                + " or a seal, because " + follower + " holds records";
        return new LogDamagedException(
                        active.file(), active.endOffset(), expected, active.stopReason(), LogDamagedException.RESTORE)
                .in(id, storage.describe());
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
