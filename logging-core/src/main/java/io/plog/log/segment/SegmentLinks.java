package io.plog.log.segment;

import io.plog.log.file.Rewind;
import io.plog.log.file.SegmentHeader;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The segments of one directory of an open log. They grow and shrink while they are read; a {@link Rewind} makes new ones of
 * them, so that no reader sees half of it. For any thread.
 */
public final class SegmentLinks {
    /**
     * A segment, for readers.
     *
     * @param firstIndex the index of its first record
     * @param end behind this place, in bytes from the start of the file, nothing is part of the log
     * @param places where records begin in it
     */
    public record Link(SegmentHeader header, long firstIndex, long end, RecordPlaces places) {
        public Link(SegmentHeader header, long firstIndex, long end) {
            this(header, firstIndex, end, new RecordPlaces(header.segmentBytes()));
        }

        public Link(SegmentHeader header, long firstIndex) {
            this(header, firstIndex, header.segmentBytes());
        }

        /** This segment, ending at a place: nothing behind it is part of the log. */
        Link endingAt(long place) {
            return new Link(header, firstIndex, place, places);
        }
    }

    private final ConcurrentSkipListMap<Long, Link> byNumber = new ConcurrentSkipListMap<>();
    private final ConcurrentSkipListMap<Long, Link> byIndex =
            new ConcurrentSkipListMap<>(); // the last that begins there
    private final LongAdder bytes = new LongAdder();
    private final long[]
            cuts; // the lowest index that each cut since the opening took, whether there was such a record or not

    public SegmentLinks(Iterable<Link> links) {
        this(links, new long[0]);
    }

    private SegmentLinks(Iterable<Link> links, long[] cuts) {
        links.forEach(this::add);
        this.cuts = cuts;
    }

    /** By the segments' numbers; not to be changed. */
    public NavigableMap<Long, Link> byNumber() {
        return byNumber;
    }

    public void add(Link link) {
        byIndex.put(link.firstIndex(), link);
        byNumber.put(link.header().segment(), link);
        bytes.add(link.header().segmentBytes());
    }

    /** The bytes of their files. */
    public long bytes() {
        return bytes.sum();
    }

    public Link first() {
        return byNumber.firstEntry().getValue();
    }

    public Link last() {
        return byNumber.lastEntry().getValue();
    }

    /** Drops the first segment. */
    public Link removeFirst() {
        Link first = byNumber.pollFirstEntry().getValue();
        byIndex.remove(first.firstIndex(), first);
        bytes.add(-first.header().segmentBytes());
        return first;
    }

    /** The last segment that begins at or before an index; the first if none does. */
    public Link holding(long index) {
        Map.Entry<Long, Link> found = byIndex.floorEntry(index);
        return found == null ? first() : found.getValue();
    }

    /** The segments that are left after a cut: none behind the one that the cut names, and the one that made the cut. */
    SegmentLinks rewound(SegmentHeader by, Rewind rewind) {
        long[] more = Arrays.copyOf(cuts, cuts.length + 1);
        more[cuts.length] = rewind.isToNothing() ? 1 : rewind.firstIndex();
        SegmentLinks left = new SegmentLinks(byNumber.headMap(rewind.segment()).values(), more);
        Link origin = byNumber.get(rewind.segment());
        if (origin != null) {
            left.add(origin.endingAt(rewind.end()));
        }
        left.add(new Link(by, rewind.firstIndex()));
        return left;
    }

    /** The lowest index that was cut since these were what others are now; {@link Long#MAX_VALUE} if none was. */
    long lowestCutSince(SegmentLinks earlier) {
        return Arrays.stream(cuts, earlier.cuts.length, cuts.length).min().orElse(Long.MAX_VALUE);
    }
}
