package io.plog.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a log in order, checking each. For one thread at a time.
 *
 * <p>On a live log ({@link MessageLog#read}) it delivers what is durable and can be asked again when there may be more. On
 * directories ({@link #open}) it delivers what a recovery would keep, without changing anything; a log that another process
 * is writing can be read this way, up to about where it was when the reader was opened.
 */
public final class LogReader implements AutoCloseable {
    private final List<StripeReader> stripes;
    private final LongSupplier lastReadable;
    private final Beginning beginning;
    private final @Nullable LogDamagedException damage;
    private final boolean ownsStorage;

    private long nextIndex;
    private int lastFound; // which of the stripes had the last record; the next is likely to be there, too
    private @Nullable ByteBuffer payload;

    private LogReader(
            List<StripeReader> stripes,
            boolean ownsStorage,
            long fromIndex,
            LongSupplier lastReadable,
            Beginning beginning,
            @Nullable LogDamagedException damage) {
        this.stripes = stripes;
        this.ownsStorage = ownsStorage;
        this.nextIndex = fromIndex;
        this.lastReadable = lastReadable;
        this.beginning = beginning;
        this.damage = damage;
    }

    /**
     * Reads a log that is open.
     *
     * @param storages its directories, in order
     * @param segments the segments of each
     */
    static LogReader ofLive(
            List<Storage> storages,
            List<SegmentChain> segments,
            long fromIndex,
            LongSupplier firstIndex,
            LongSupplier durableIndex)
            throws IOException {
        checkRange(fromIndex, firstIndex.getAsLong(), durableIndex.getAsLong());
        Beginning beginning = firstIndex::getAsLong;
        List<NavigableMap<Long, SegmentChain.Link>> links =
                segments.stream().map(SegmentChain::links).toList();
        try {
            List<StripeReader> readers = readers(storages, links, fromIndex);
            return new LogReader(readers, false, fromIndex, durableIndex, beginning, null);
        } catch (IOException e) {
            throw droppedOr(e, fromIndex, beginning);
        }
    }

    /**
     * Reads a directory without a writer, and without changing anything.
     *
     * @param fromIndex the first record to deliver; 0 for the first there is
     * @throws IllegalArgumentException if the log does not hold that index and would not hold it next
     * @throws LogException if the directory does not exist or cannot be used
     */
    public static LogReader open(Path directory, long fromIndex) throws IOException {
        return open(List.of(directory), fromIndex);
    }

    /**
     * The same for a striped log.
     *
     * @param directories all of the log's directories, in order
     */
    public static LogReader open(List<Path> directories, long fromIndex) throws IOException {
        return openStorages(LogDirectories.open(directories), fromIndex);
    }

    /** The same on another storage, which the reader closes in the end. */
    public static LogReader open(Storage storage, long fromIndex) throws IOException {
        return openStorages(List.of(storage), fromIndex);
    }

    /** The same for a striped log on other storages, all of them in order, which the reader closes in the end. */
    public static LogReader openStorages(List<? extends Storage> storages, long fromIndex) throws IOException {
        LogAnalysis analysis = LogAnalysis.ofLive(storages);
        List<NavigableMap<Long, SegmentChain.Link>> links = new ArrayList<>();
        for (StripeAnalysis stripe : analysis.stripes()) {
            NavigableMap<Long, SegmentChain.Link> own = new TreeMap<>();
            for (SegmentState state : stripe.segments()) {
                own.put(state.header().segment(), new SegmentChain.Link(state.header(), state.firstIndex()));
            }
            links.add(own);
        }
        long last = analysis.nextIndex() - 1;
        long from = fromIndex == 0 ? analysis.firstIndex() : fromIndex;
        checkRange(from, analysis.firstIndex(), last);
        Beginning beginning = () -> firstIndexOf(storages);
        try {
            List<StripeReader> readers = readers(storages, links, from);
            return new LogReader(readers, true, from, () -> last, beginning, analysis.damage());
        } catch (IOException e) {
            throw droppedOr(e, from, beginning);
        }
    }

    private static List<StripeReader> readers(
            List<? extends Storage> storages, List<NavigableMap<Long, SegmentChain.Link>> links, long fromIndex)
            throws IOException {
        List<StripeReader> readers = new ArrayList<>();
        try {
            for (int i = 0; i < storages.size(); i++) {
                StripeId id = StripeId.at(i, storages.size());
                readers.add(new StripeReader(storages.get(i), id, links.get(i), fromIndex));
            }
        } catch (IOException e) {
            for (StripeReader reader : readers) {
                reader.close();
            }
            throw e;
        }
        return readers;
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
     * @throws RecordsDroppedException if the next record was dropped since the reader was opened
     * @throws LogDamagedException if the log is damaged here; the records before it were delivered
     */
    public boolean next() throws IOException {
        payload = null;
        if (nextIndex <= lastReadable.getAsLong()) {
            try {
                payload = find();
            } catch (IOException e) {
                throw droppedOr(e, nextIndex, beginning);
            }
            nextIndex++;
            return true;
        }
        if (damage != null) {
            throw damage;
        }
        return false;
    }

    /** Where the log begins by now. */
    private interface Beginning {
        long index() throws IOException;
    }

    /**
     * Tells dropped records from other failures. A file may be missing or replaced because its records were dropped. The writer
     * publishes the new beginning of the log before it drops records.
     */
    private static IOException droppedOr(IOException failure, long wanted, Beginning beginning) {
        try {
            long first = beginning.index();
            return first > wanted ? new RecordsDroppedException(wanted, first, failure) : failure;
        } catch (IOException e) {
            failure.addSuppressed(e);
            return failure;
        }
    }

    private static long firstIndexOf(List<? extends Storage> storages) throws IOException {
        long first = 1;
        for (Storage storage : storages) {
            HeadFile head = HeadFile.read(storage);
            first = head == null ? first : Math.max(first, head.firstIndex());
        }
        return first;
    }

    private ByteBuffer find() throws IOException {
        ByteBuffer found = findOnce();
        if (found == null) {
            stripes.forEach(StripeReader::lookAgain);
            found = findOnce();
        }
        if (found == null) {
            throw stripes.get(lastFound).missing(nextIndex);
        }
        return found;
    }

    private @Nullable ByteBuffer findOnce() throws IOException {
        for (int i = 0; i < stripes.size(); i++) {
            int place = (lastFound + i) % stripes.size();
            ByteBuffer found = stripes.get(place).find(nextIndex);
            if (found != null) {
                lastFound = place;
                return found;
            }
        }
        return null;
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

    @Override
    public void close() throws IOException {
        for (StripeReader stripe : stripes) {
            stripe.close();
            if (ownsStorage) {
                stripe.storage().close();
            }
        }
    }

    /**
     * The reader came to records that were dropped from the beginning of the log while it read
     * ({@link MessageLog#truncateBefore}, by whoever has the log open). Nothing is damaged: read on from {@link #firstIndex}.
     */
    public static final class RecordsDroppedException extends LogException {
        private static final long serialVersionUID = 1L;

        private final long wanted;
        private final long firstIndex;

        RecordsDroppedException(long wanted, long firstIndex, Throwable cause) {
            super(
                    "records " + wanted + " to " + (firstIndex - 1)
                            + " are no longer there: the log was dropped up to index " + (firstIndex - 1)
                            + " while it was read; read from " + firstIndex + " on",
                    cause);
            this.wanted = wanted;
            this.firstIndex = firstIndex;
        }

        /** The index of the record that was to be read next. */
        public long wantedIndex() {
            return wanted;
        }

        /** The index of the first record that is still there, or that is the next to come. */
        public long firstIndex() {
            return firstIndex;
        }
    }
}
