package io.plog.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a log in order, checking each. For one thread at a time.
 *
 * <p>On a live log ({@link MessageLog#read}) it delivers what is durable and can be asked again when there may be more. On a
 * directory ({@link #open}) it delivers what a recovery would keep, without changing anything; a log that another process
 * is writing can be read this way, up to about where it was when the reader was opened.
 */
public final class LogReader implements AutoCloseable {
    private final Storage storage;
    private final NavigableMap<Long, SegmentChain.Link> links;
    private final LongSupplier lastReadable;
    private final @Nullable LogDamagedException damage;
    private final FileWindow window = new FileWindow();
    private final boolean ownsStorage;

    private long nextIndex;
    private @Nullable StorageFile file;
    private @Nullable SegmentScanner scanner;
    private long segment;
    private @Nullable ByteBuffer payload;

    private LogReader(
            Storage storage,
            boolean ownsStorage,
            NavigableMap<Long, SegmentChain.Link> links,
            long fromIndex,
            LongSupplier lastReadable,
            @Nullable LogDamagedException damage)
            throws IOException {
        this.storage = storage;
        this.ownsStorage = ownsStorage;
        this.links = links;
        this.nextIndex = fromIndex;
        this.lastReadable = lastReadable;
        this.damage = damage;
        SegmentChain.Link first = null;
        for (SegmentChain.Link link : links.values()) {
            if (link.firstIndex() <= fromIndex) {
                first = link;
            }
        }
        if (first != null) {
            enter(first);
        }
    }

    static LogReader ofLive(
            Storage storage, SegmentChain segments, long fromIndex, long firstIndex, LongSupplier durableIndex)
            throws IOException {
        checkRange(fromIndex, firstIndex, durableIndex.getAsLong());
        return new LogReader(storage, false, segments.links(), fromIndex, durableIndex, null);
    }

    /**
     * Reads a directory without a writer, and without changing anything.
     *
     * @param fromIndex the first record to deliver; 0 for the first there is
     * @throws IllegalArgumentException if the log does not hold that index and would not hold it next
     * @throws LogException if the directory does not exist or cannot be used
     */
    public static LogReader open(Path directory, long fromIndex) throws IOException {
        return open(new DiskStorage(directory), fromIndex);
    }

    /** The same on another storage, which the reader closes in the end. */
    public static LogReader open(Storage storage, long fromIndex) throws IOException {
        LogAnalysis analysis = LogInspection.analyse(storage);
        NavigableMap<Long, SegmentChain.Link> links = new TreeMap<>();
        for (SegmentState state : analysis.segments()) {
            links.put(state.header().segment(), new SegmentChain.Link(state.header(), state.firstIndex()));
        }
        long last = analysis.nextIndex() - 1;
        long from = fromIndex == 0 ? analysis.firstIndex() : fromIndex;
        checkRange(from, analysis.firstIndex(), last);
        return new LogReader(storage, true, links, from, () -> last, analysis.damage());
    }

    private static void checkRange(long fromIndex, long firstIndex, long lastIndex) {
        if (fromIndex < firstIndex || fromIndex > lastIndex + 1) {
            throw new IllegalArgumentException(
                    "cannot read from index " + fromIndex + ": the log holds " + firstIndex + " to " + lastIndex);
        }
    }

    /**
     * Goes to the next record.
     *
     * @return false if there is none, at present
     * @throws LogDamagedException if the log is damaged here; the records before it were delivered
     */
    public boolean next() throws IOException {
        payload = null;
        boolean readAgain = false;
        while (nextIndex <= lastReadable.getAsLong()) {
            SegmentScanner current = scanner;
            if (current == null) {
                return false;
            }
            if (current.next()) {
                readAgain = false;
                if (current.record().isData() && current.record().index == nextIndex) {
                    payload = current.payload();
                    nextIndex++;
                    return true;
                }
            } else if (!enterNext()) {
                // On a live log the window may hold what was there before the record was written: look once more.
                if (readAgain) {
                    throw new LogDamagedException(
                            SegmentHeader.fileName(segment),
                            current.nextOffset(),
                            "record " + nextIndex + ", which is durable",
                            current.stopReason(),
                            "The log changed after it was opened, or its file cannot be read reliably");
                }
                readAgain = true;
                window.reset();
            }
        }
        if (damage != null) {
            throw damage;
        }
        return false;
    }

    /** Goes on to the segment after the current one, if that one begins with the very record that is missing here. */
    private boolean enterNext() throws IOException {
        Map.Entry<Long, SegmentChain.Link> next = links.higherEntry(segment);
        SegmentScanner current = scanner;
        if (next == null || current == null || next.getValue().firstIndex() != current.expectedIndex()) {
            return false;
        }
        enter(next.getValue());
        return true;
    }

    private void enter(SegmentChain.Link link) throws IOException {
        closeFile();
        try {
            StorageFile opened =
                    storage.open(SegmentHeader.fileName(link.header().segment()), Storage.Access.READ);
            file = opened;
            segment = link.header().segment();
            scanner = new SegmentScanner(
                    opened,
                    link.header(),
                    window,
                    link.firstIndex(),
                    link.header().segmentBytes());
        } catch (NoSuchFileException e) {
            throw new LogException(
                    "the records from " + link.firstIndex() + " on were dropped while they were read", e);
        }
    }

    /** The index of the record found last. */
    public long index() {
        return nextIndex - 1;
    }

    /**
     * The payload of the record found last, read-only. It is valid until the next call of {@link #next}.
     *
     * @throws IllegalStateException if there is none
     */
    public ByteBuffer payload() {
        ByteBuffer current = payload;
        if (current == null) {
            throw new IllegalStateException("no record: the last call of next() returned false, or there was none");
        }
        return current;
    }

    private void closeFile() throws IOException {
        StorageFile open = file;
        file = null;
        scanner = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() throws IOException {
        closeFile();
        if (ownsStorage) {
            storage.close();
        }
    }
}
