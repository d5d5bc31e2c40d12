package io.plog.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads the segments behind the active one. They were prepared ahead of time and must be empty: if one holds records, the
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
     */
    void read(HeadFile known, SortedSet<Long> numbers, long next, SegmentState active) throws IOException {
        for (long number : numbers) {
            read(known, number, next, active);
        }
    }

    private void read(HeadFile known, long number, long next, SegmentState active) throws IOException {
        String name = SegmentHeader.fileName(number);
        try (Storage.FileHandle file = storage.open(name, Storage.Access.READ)) {
            StringBuilder problem = new StringBuilder();
            SegmentHeader header = SegmentHeaderCheck.read(file, known, id, number, problem);
            if (header == null || file.size() != header.segmentBytes()) {
                notes.add(name + ": prepared but unusable (" + problem + "); it held nothing and is prepared again");
                discards.add(name);
                return;
            }
            TailEvidence content = TailEvidence.search(file, header, window, SegmentHeader.BLOCK_BYTES, 0);
            if (content.witnessOffset() >= 0) {
                unsealed = lostSeal(active, name);
            } else if (content.hasRemainsFrom(SegmentHeader.BLOCK_BYTES)) {
                notes.add(name + ": prepared, but not as it was left; it held no record and is prepared again");
                discards.add(name);
            } else if (number == next + usable.size()) {
                usable.add(header);
            } else {
                discards.add(name);
            }
        }
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
