package io.plog.log.segment;

import io.plog.log.file.HeadFile;
import io.plog.log.file.ReadAround;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.Rewind;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.StripeId;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which segments of a directory are part of its log after cuts, and where each of them ends; from the headers alone. The last cut
 * decides: what lies between the segment that made it and the one that this names is none of the log's any more, cuts included.
 */
public final class Rewinds {
    private static final long ANY = -1;

    private final TreeMap<Long, SegmentHeader> continuedBy = new TreeMap<>(); // by the segment that ends at a cut
    private final NavigableSet<Long> gone = new TreeSet<>();
    private @Nullable SegmentHeader begin; // of all that is there; null if the head's first segment is
    private long last;
    private long lost;

    // While they are found, from the last segment to the first: the one that has to come next, ANY, or 0 for none.
    private long origin = ANY;
    private long originEpoch;

    /** None. */
    Rewinds() {}

    /**
     * Reads the headers of a directory's segments.
     *
     * @param head where the log begins, as its head says
     * @param present the numbers of the segments
     */
    public static Rewinds find(Storage storage, StripeId stripe, HeadFile head, NavigableSet<Long> present)
            throws IOException {
        Rewinds found = new Rewinds();
        long next = 0; // that must be there, where no cut says which
        SegmentHeader above = null; // of the segment that it is before
        for (long number : present.tailSet(head.firstSegment(), true).descendingSet()) {
            if (found.origin == ANY || number <= found.origin) {
                SegmentHeader header = read(storage, stripe, head, number);
                boolean isGap = found.lost == 0 && found.origin == ANY && (number < next || header == null);
                if (isGap && Math.max(number, next) <= head.rewound()) { // it may be the one that says what is gone
                    found.lost = number < next ? blame(storage, next, above) : number;
                } else {
                    found.look(number, header, number == head.firstSegment());
                }
                next = found.origin == ANY ? number - 1 : 0;
                above = header;
            } else {
                found.gone.add(number);
            }
        }
        if (head.rewound() >= head.firstSegment() && found.last < head.rewound()) {
            found.lost = head.rewound();
        } else if (found.lost == 0 && found.begin == null && found.origin != ANY) {
            found.lost = found.origin;
        }
        return found;
    }

    /** Which segment is not as it was: one that is missing, or the next, of which the header is an older one without its cut. */
    private static long blame(Storage storage, long missing, @Nullable SegmentHeader next) throws IOException {
        return next == null || beginsRight(storage, next) ? missing : next.segment();
    }

    /** Whether the first record of a segment in use is right for its header, which may be an older one. */
    static boolean beginsRight(Storage storage, SegmentHeader header) throws IOException {
        ByteBuffer first = ByteBuffer.allocate(RecordHeader.BYTES);
        try (Storage.FileHandle file = ReadAround.open(storage, SegmentHeader.fileName(header.segment()))) {
            while (first.hasRemaining() && file.read(first, SegmentHeader.BLOCK_BYTES + first.position()) >= 0) {}
        }
        return first.hasRemaining() || new RecordHeader().decode(first, 0, header.epoch());
    }

    private void look(long number, @Nullable SegmentHeader header, boolean isFirst) {
        if (lost > 0) {
            return;
        }
        if (origin != ANY && (header == null || number < origin || header.epoch() != originEpoch)) {
            lost = origin; // and it is not known what that one continues
            return;
        }
        Rewind rewind = header == null ? null : header.rewind();
        origin = ANY;
        if (header == null || rewind == null) {
            return;
        }
        last = Math.max(last, number);
        if (isFirst) {
            return;
        }
        origin = rewind.segment();
        originEpoch = rewind.epoch();
        if (rewind.isToNothing()) {
            begin = header;
        } else {
            continuedBy.put(origin, header);
        }
    }

    /** Reads the headers where the head may be lost: for the log of the last segment with a header. */
    public static Rewinds find(Storage storage, NavigableSet<Long> present) throws IOException {
        for (long number : present.descendingSet()) {
            SegmentHeader header = SegmentHeader.read(storage, SegmentHeader.fileName(number));
            if (header != null) {
                HeadFile head = new HeadFile(header.logId(), header.stripe(), present.first(), 1, 0);
                return find(storage, header.stripe(), head, present);
            }
        }
        return new Rewinds();
    }

    private static @Nullable SegmentHeader read(Storage storage, StripeId stripe, HeadFile head, long number)
            throws IOException {
        try (Storage.FileHandle file = ReadAround.open(storage, SegmentHeader.fileName(number))) {
            return head.headerOf(file, stripe, number, new StringBuilder());
        } catch (NoSuchFileException dropped) {
            return null;
        }
    }

    /** The number of the last segment behind a cut, 0 if there is none. */
    public long last() {
        return last;
    }

    /** The number of a segment that has to begin behind a cut, or to end at one, and is not there; 0 if none is missing. */
    long lost() {
        return lost;
    }

    /** The segments that are none of the log's any more, from the head's first on. */
    public NavigableSet<Long> gone() {
        return gone;
    }

    /** Whether the log was emptied since the head was written, and with it the checkpoint. */
    public boolean areToNothing() {
        return begin != null;
    }

    /** Then, which checkpoint it was emptied for; 0 if for none. */
    public long checks() {
        Rewind rewind = begin == null ? null : begin.rewind();
        return rewind == null ? 0 : rewind.epoch();
    }

    /** The head as it is to be after them. */
    public HeadFile apply(HeadFile head) {
        SegmentHeader first = begin;
        Rewind rewind = first == null ? null : first.rewind();
        if (first == null || rewind == null) {
            return head.beginningAt(
                    head.firstSegment(), head.firstIndex(), head.checkpoint(), Math.max(head.rewound(), last));
        }
        return head.beginningAt(
                first.segment(), rewind.firstIndex(), checks() == 0 ? 0 : rewind.firstIndex() - 1, last);
    }

    /** The number of the segment that follows one. */
    long after(long segment) {
        SegmentHeader next = continuedBy.get(segment);
        return next == null ? segment + 1 : next.segment();
    }

    /** The cut at which a segment ends; null if none does. */
    public @Nullable Rewind endOf(long segment) {
        SegmentHeader next = continuedBy.get(segment);
        return next == null ? null : next.rewind();
    }

    /** Where a segment begins and ends, for readers. */
    SegmentLinks.Link link(SegmentHeader header, long firstIndex) {
        Rewind end = endOf(header.segment());
        return new SegmentLinks.Link(header, firstIndex, end == null ? header.segmentBytes() : end.end());
    }
}
