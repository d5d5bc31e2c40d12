package io.plog.log;

import io.plog.log.file.CloseAll;
import io.plog.log.file.HeadFile;
import io.plog.log.file.StripeId;
import io.plog.log.segment.LogAnalysis;
import io.plog.log.segment.SegmentChain;
import io.plog.log.segment.SegmentLinks;
import io.plog.log.segment.StripeAnalysis;
import io.plog.log.segment.StripeReader;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the records of a log from the segments of its directories. */
final class StoredLogReader extends LogReader implements Closeable {
    private final List<StripeReader> stripes;
    private final LongSupplier lastReadable;
    private final Beginning beginning;
    private final @Nullable LogDamagedException damage;
    private final boolean ownsStorage;

    private long nextIndex;
    private int lastFound; // which of the stripes had the last record; the next is likely to be there, too
    private long firstCut = Long.MAX_VALUE; // the lowest index of what was delivered and is cut
    private @Nullable ByteBuffer payload;
    private boolean closed;

    private StoredLogReader(
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
     * Reads a log that is open. Nothing is there to be read at an index that is not in it.
     *
     * @param storages its directories, in order
     * @param segments the segments of each
     */
    static StoredLogReader ofLive(
            List<Storage> storages,
            List<SegmentChain> segments,
            long fromIndex,
            LongSupplier firstIndex,
            LongSupplier durableIndex)
            throws IOException {
        Beginning beginning = () -> Math.max(firstIndex.getAsLong(), firstOf(segments));
        List<Supplier<SegmentLinks>> links = new ArrayList<>();
        segments.forEach(chain -> links.add(chain::links));
        try {
            List<StripeReader> readers = readers(storages, links, fromIndex);
            return new StoredLogReader(readers, false, fromIndex, durableIndex, beginning, null);
        } catch (IOException e) {
            throw droppedOr(e, fromIndex, beginning);
        }
    }

    /** Reads storages without a writer, and closes them in the end; see {@link LogReader#open}. */
    static StoredLogReader ofStorages(List<? extends Storage> storages, long fromIndex) throws IOException {
        LogAnalysis analysis = LogAnalysis.ofLive(storages);
        List<Supplier<SegmentLinks>> links = new ArrayList<>();
        for (StripeAnalysis stripe : analysis.stripes()) {
            SegmentLinks own = new SegmentLinks(
                    stripe.segments().stream().map(stripe::linkOf).toList());
            links.add(() -> own);
        }
        long last = analysis.nextIndex() - 1;
        long from = fromIndex == 0 ? analysis.firstIndex() : fromIndex;
        checkRange(from, analysis.firstIndex(), last);
        Beginning beginning = () -> firstIndexOf(storages);
        try {
            List<StripeReader> readers = readers(storages, links, from);
            return new StoredLogReader(readers, true, from, () -> last, beginning, analysis.damage());
        } catch (IOException e) {
            throw droppedOr(e, from, beginning);
        }
    }

    private static List<StripeReader> readers(
            List<? extends Storage> storages, List<Supplier<SegmentLinks>> links, long fromIndex) throws IOException {
        List<StripeReader> readers = new ArrayList<>();
        try {
            for (int i = 0; i < storages.size(); i++) {
                StripeId id = StripeId.at(i, storages.size());
                readers.add(new StripeReader(storages.get(i), id, links.get(i), fromIndex));
            }
        } catch (IOException e) {
            Closeable all = new CloseAll(readers);
            try (all) {
                throw e;
            }
        }
        return readers;
    }

    static void checkRange(long fromIndex, long firstIndex, long lastIndex) {
        if (fromIndex < firstIndex || fromIndex > lastIndex + 1) {
            throw new IllegalArgumentException(
                    "cannot read from index " + fromIndex + ": the log holds " + firstIndex + " to " + lastIndex);
        }
    }

    @Override
    public void seek(long index) throws IOException {
        checkSeek(index, lastReadable.getAsLong());
        goTo(index);
    }

    /** The payload of a record; empty if the log ends before it, at present. */
    Optional<byte[]> get(long index) throws IOException {
        goTo(index);
        return next() ? Optional.of(bytes()) : Optional.empty();
    }

    private void goTo(long index) throws IOException {
        begin();
        try {
            for (StripeReader stripe : stripes) {
                stripe.seek(index, true);
            }
            nextIndex = index;
        } catch (IOException e) {
            if (!followCuts()) {
                throw droppedOr(e, index, beginning);
            }
            goTo(index);
        }
    }

    /** The number of the segment of the first directory that it reads. */
    long segment() {
        return stripes.get(0).segment();
    }

    /** Whether the segments that it reads are still part of the log. */
    boolean isWorthKeeping() {
        return stripes.stream().allMatch(StripeReader::isWorthKeeping);
    }

    private void begin() throws IOException {
        payload = null;
        if (closed) {
            throw new IllegalStateException("the reader was closed; open another one");
        }
        followCuts();
    }

    @Override
    public boolean next() throws IOException {
        begin();
        while (nextIndex <= lastReadable.getAsLong()) {
            try {
                payload = find();
                nextIndex++;
                return true;
            } catch (IOException e) {
                if (!followCuts()) { // otherwise a file is missing, or used again, since a cut took its records
                    throw droppedOr(e, nextIndex, beginning);
                }
            }
        }
        if (damage != null) {
            throw damage;
        }
        return false;
    }

    /** Returns whether the log was cut at its end since the last call. */
    private boolean followCuts() throws IOException {
        boolean found = false;
        for (StripeReader stripe : stripes) {
            long cut = stripe.followCuts(nextIndex);
            found |= cut < Long.MAX_VALUE;
            firstCut = cut < nextIndex ? Math.min(firstCut, cut) : firstCut;
        }
        if (firstCut < Long.MAX_VALUE) {
            throw new RecordsCutException(nextIndex, firstCut);
        }
        return found;
    }

    /** Where the log begins by now. */
    private interface Beginning {
        long index() throws IOException;
    }

    /**
     * Distinguishes dropped records from other failures. A file may be missing or replaced because its records were dropped. The writer
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

    /** Of a log that is being emptied the segments say it first. */
    private static long firstOf(List<SegmentChain> segments) {
        return segments.stream()
                .mapToLong(chain -> chain.links().first().firstIndex())
                .min()
                .orElseThrow();
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
        if (found == null) { // the place where it was looked for may have been a wrong one
            for (StripeReader stripe : stripes) {
                stripe.seek(nextIndex, false);
            }
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

    @Override
    public long index() {
        return nextIndex - 1;
    }

    @Override
    public ByteBuffer payload() {
        ByteBuffer current = payload;
        if (current == null) {
            throw new IllegalStateException("no record: the last call of next() returned false, or there was none");
        }
        return current;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        for (StripeReader stripe : stripes) {
            stripe.close();
            if (ownsStorage) {
                stripe.storage().close();
            }
        }
    }
}
