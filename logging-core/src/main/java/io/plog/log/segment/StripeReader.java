package io.plog.log.segment;

import io.plog.log.file.FileWindow;
import io.plog.log.file.ReadAround;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.StripeId;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the records of one of a log's directories forward, for {@code LogReader}. For one thread at a time. */
public final class StripeReader implements Closeable {
    private final Storage storage;
    private final StripeId id;
    private final Supplier<SegmentLinks> source;
    private final FileWindow window = new FileWindow();

    private SegmentLinks links;
    private Storage.@Nullable FileHandle file;
    private @Nullable SegmentScanner scanner;
    private long segment;
    private boolean atRecord; // the scanner's record is one of the caller's that was not asked for yet
    private boolean looksAgain; // what the window holds was read since the last record was found

    /** @param source the directory's segments; may change meanwhile */
    public StripeReader(Storage storage, StripeId id, Supplier<SegmentLinks> source, long fromIndex)
            throws IOException {
        this.storage = storage;
        this.id = id;
        this.source = source;
        this.links = source.get();
        seek(fromIndex, true);
    }

    /**
     * Goes to where {@link #find} comes to this record soonest.
     *
     * @param byPlaces whether with the help of places that are known, and not from the beginning of the segment
     */
    public void seek(long index, boolean byPlaces) throws IOException {
        if (links.byNumber().isEmpty()) {
            return; // of a damaged log there may be none
        }
        SegmentLinks.Link link = links.holding(index);
        SegmentScanner current = scanner;
        if (current == null || !byPlaces || segment != link.header().segment()) {
            current = enter(link);
        }
        atRecord = false;
        if (byPlaces) {
            current.approach(index);
        }
    }

    /** The number of the segment that it reads. */
    public long segment() {
        return segment;
    }

    /** Whether the segment is still part of the log, as it was, and the buffer of the usual size. */
    public boolean isWorthKeeping() {
        return window.capacity() <= FileWindow.MOST_AHEAD_BYTES
                && source.get().equals(links)
                && links.byNumber().containsKey(segment);
    }

    /**
     * Looks whether the log was cut at its end since the last call; then it reads on from its segments as they are now.
     *
     * @param wanted the index of the record that comes next
     * @return the lowest index that was given out again since; {@link Long#MAX_VALUE} if none was
     */
    public long followCuts(long wanted) throws IOException {
        SegmentLinks now = source.get();
        if (now.equals(links)) {
            return Long.MAX_VALUE;
        }
        long lowest = now.lowestCutSince(links);
        links = now;
        enter(now.holding(wanted));
        seek(wanted, true);
        return lowest;
    }

    public Storage storage() {
        return storage;
    }

    /**
     * Goes to the record with this index.
     *
     * @param wanted more than the last one that was asked for, unless {@link #seek} came between
     * @return its payload, valid until the next call; null if this directory does not hold it, or not yet
     */
    public @Nullable ByteBuffer find(long wanted) throws IOException {
        while (true) {
            SegmentScanner current = scanner;
            if (current == null) {
                return null;
            }
            if (atRecord && current.record().index > wanted) {
                return null;
            }
            if (atRecord && current.record().index == wanted) {
                return current.payload();
            }
            atRecord = false;
            if (current.next(wanted)) {
                atRecord = current.record().isData();
                looksAgain = false;
            } else if (!enterNext(current)) {
                return null;
            }
        }
    }

    /** Continues with the segment after the current one, if nothing is missing before it. */
    private boolean enterNext(SegmentScanner current) throws IOException {
        Map.Entry<Long, SegmentLinks.Link> next = links.byNumber().higherEntry(segment);
        if (next == null) {
            return false;
        }
        long firstIndex = next.getValue().firstIndex();
        // Where other directories hold the records between, only a seal leads on; one of which the first copy is
        // damaged
        // has to be taken on trust, as the analysis did, but not before what the window holds was read again.
        if (firstIndex == current.expectedIndex()
                || (id.isStriped() && looksAgain && firstIndex > current.expectedIndex())) {
            enter(next.getValue());
            return true;
        }
        return false;
    }

    private SegmentScanner enter(SegmentLinks.Link link) throws IOException {
        close();
        try {
            Storage.FileHandle opened = ReadAround.open(
                    storage, SegmentHeader.fileName(link.header().segment()));
            file = opened;
            segment = link.header().segment();
            looksAgain = false;
            SegmentScanner begun = new SegmentScanner(opened, link, window);
            scanner = begun;
            return begun;
        } catch (NoSuchFileException e) {
            throw new LogException(
                    "the file with the records from " + link.firstIndex() + " on was removed while they were read", e);
        }
    }

    /** On a live log the window may hold what was there before a record was written: look once more. */
    public void lookAgain() {
        if (!atRecord) {
            window.reset();
            looksAgain = true;
        }
    }

    /** What to say when a record that is durable is in none of a log's directories. */
    public LogDamagedException missing(long index) {
        SegmentScanner current = scanner;
        return new LogDamagedException(
                        SegmentHeader.fileName(segment),
                        current == null ? 0 : current.nextOffset(),
                        "record " + index + ", which is durable",
                        current == null ? "nothing" : current.stopReason(),
                        "The log changed after it was opened, or its file cannot be read reliably")
                .in(id.number(), storage.describe());
    }

    /** Lets go of the file; the storage stays open. */
    @Override
    public void close() throws IOException {
        Storage.FileHandle open = file;
        file = null;
        scanner = null;
        atRecord = false;
        if (open != null) {
            open.close();
        }
    }
}
