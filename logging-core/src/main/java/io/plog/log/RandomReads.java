package io.plog.log;

import io.plog.log.file.CloseAll;
import io.plog.log.segment.SegmentChain;
import io.plog.log.segment.SegmentLinks;
import io.plog.log.storage.LogException;
import io.plog.log.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Reads single records of an open log, with readers that stay open in between: to open a file takes longer than to read a record. For
 * any thread.
 */
final class RandomReads implements Closeable {
    /** How many readers stay open at most, each with a file of each directory and at most 256 KiB of buffer. */
    static final int MOST_IDLE = 32;

    private final List<Storage> storages;
    private final List<SegmentChain> chains;
    private final LongSupplier firstIndex;
    private final LongSupplier durableIndex;

    // Guarded by this.
    private final ArrayDeque<StoredLogReader> idle = new ArrayDeque<>(); // the one that was used last at the end
    private boolean closed;

    RandomReads(List<Storage> storages, List<SegmentChain> chains, LongSupplier firstIndex, LongSupplier durableIndex) {
        this.storages = storages;
        this.chains = chains;
        this.firstIndex = firstIndex;
        this.durableIndex = durableIndex;
    }

    /** See {@link MessageLog#get}. */
    Optional<byte[]> get(long index) throws IOException {
        checkIndex(index, firstIndex.getAsLong());
        while (index <= durableIndex.getAsLong()) {
            SegmentLinks links = chains.get(0).links();
            try {
                Optional<byte[]> found = get(index, take(links, index));
                if (found.isPresent()) {
                    return found;
                }
            } catch (IOException e) {
                if (chains.get(0).links().equals(links)) {
                    throw e;
                } // otherwise a cut came between: look at the log as it is now
            }
        }
        return Optional.empty();
    }

    /** Refuses an index that no record has, or has any more. */
    static void checkIndex(long index, long first) throws LogReader.RecordsDroppedException {
        if (index < 1) {
            throw new IllegalArgumentException("there is no record " + index + ": indexes begin with 1");
        }
        if (index < first) {
            throw new LogReader.RecordsDroppedException(index, first, null);
        }
    }

    private Optional<byte[]> get(long index, StoredLogReader reader) throws IOException {
        boolean intact = false;
        try {
            Optional<byte[]> found = reader.get(index);
            intact = true;
            return found;
        } finally {
            giveBack(reader, intact);
        }
    }

    /** A reader of the segment that holds a record. */
    private StoredLogReader take(SegmentLinks links, long index) throws IOException {
        long segment = links.holding(index).header().segment();
        synchronized (this) {
            if (closed) {
                throw new LogException("the log is closed; open it again to read from it");
            }
            for (Iterator<StoredLogReader> each = idle.descendingIterator(); each.hasNext(); ) {
                StoredLogReader reader = each.next();
                if (reader.segment() == segment && reader.isWorthKeeping()) {
                    each.remove();
                    return reader;
                }
            }
        }
        return StoredLogReader.ofLive(storages, chains, index, firstIndex, durableIndex);
    }

    private void giveBack(StoredLogReader reader, boolean intact) throws IOException {
        StoredLogReader surplus = reader;
        synchronized (this) {
            if (intact && !closed && reader.isWorthKeeping()) {
                idle.addLast(reader);
                surplus = idle.size() > MOST_IDLE ? idle.removeFirst() : null;
            }
        }
        if (surplus != null) {
            surplus.close();
        }
    }

    /** Lets go of the files of segments that are none of the log's any more, or their space would stay taken. */
    void closeDropped() throws IOException {
        List<StoredLogReader> gone = new ArrayList<>();
        synchronized (this) {
            idle.removeIf(reader -> !reader.isWorthKeeping() && gone.add(reader));
        }
        new CloseAll(gone).close();
    }

    /** Lets go of all files. */
    @Override
    public void close() throws IOException {
        List<StoredLogReader> all;
        synchronized (this) {
            closed = true;
            all = new ArrayList<>(idle);
            idle.clear();
        }
        new CloseAll(all).close();
    }
}
