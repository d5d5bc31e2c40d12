package io.plog.log.bookkeeper;

import io.plog.log.LogReader;
import io.plog.log.RecordCodec;
import io.plog.log.storage.LogDamagedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the records of a log from its ledgers. For one thread at a time. */
final class ReplicatedLogReader extends LogReader {
    /** How many bytes are read ahead, about. */
    private static final long AHEAD_BYTES = 1024 * 1024;

    private static final int MOST_ENTRIES = 256;

    /** Asks how the log's ledgers are listed now. */
    interface Latest {
        /** The list, unless it is not to be read any more or no server answers. */
        LedgerList get() throws IOException;
    }

    private final Supplier<LedgerList> known;
    private final Latest latest;
    private final Function<LedgerList.Part, @Nullable LedgerReader> shared;
    private final LedgerStore store;
    private final LongSupplier durableIndex;
    private final RecordCodec codec = new RecordCodec();

    private final Deque<ByteBuffer> ahead = new ArrayDeque<>();
    private long nextIndex;
    private long entryBytes = AHEAD_BYTES / 16; // about, as the entries read last say
    private LedgerList.@Nullable Part part; // whose reader is open
    private @Nullable LedgerReader reader;
    private boolean closesReader;
    private @Nullable ByteBuffer payload;
    private boolean closed;

    /**
     * Begins at a record.
     *
     * @param known the log's ledgers as they were known last
     * @param latest asked when a ledger is not as it was known
     * @param shared the reader of a ledger that is open and stays so, as of one that is being written; null for another ledger
     */
    ReplicatedLogReader(
            LedgerStore store,
            Supplier<LedgerList> known,
            Latest latest,
            Function<LedgerList.Part, @Nullable LedgerReader> shared,
            long fromIndex,
            LongSupplier durableIndex) {
        this.known = known;
        this.latest = latest;
        this.shared = shared;
        this.store = store;
        this.nextIndex = fromIndex;
        this.durableIndex = durableIndex;
    }

    @Override
    public boolean next() throws IOException {
        payload = null;
        if (closed) {
            throw new IllegalStateException("the reader was closed; open another one");
        }
        long durable = durableIndex.getAsLong();
        if (nextIndex > durable) {
            return false;
        }
        if (ahead.isEmpty()) {
            readAhead(durable);
        }
        payload = ahead.remove();
        nextIndex++;
        return true;
    }

    @Override
    public void seek(long index) {
        checkSeek(index, durableIndex.getAsLong());
        payload = null;
        ahead.clear();
        nextIndex = index;
    }

    private void readAhead(long durable) throws IOException {
        LedgerList list = known.get();
        if (list.firstIndex() > nextIndex) {
            throw new LogReader.RecordsDroppedException(nextIndex, list.firstIndex(), null);
        }
        int place = list.placeOf(nextIndex);
        LedgerList.Part wanted = list.ledgers().get(place);
        long end = place + 1 < list.ledgers().size()
                ? Math.min(durable, list.ledgers().get(place + 1).firstIndex() - 1)
                : durable;
        try {
            readFrom(list, wanted, end);
        } catch (IOException e) {
            long first = latest.get().firstIndex();
            if (first > nextIndex) {
                throw new LogReader.RecordsDroppedException(nextIndex, first, e);
            }
            throw e instanceof LedgerStore.NoLedgerException
                    ? new LogDamagedException(nameOf(wanted), 0, "a ledger of the log", "no such ledger", ADVICE)
                    : e;
        }
    }

    private void readFrom(LedgerList list, LedgerList.Part wanted, long end) throws IOException {
        LedgerReader from = readerOf(wanted);
        long first = nextIndex - wanted.firstIndex();
        long count = Math.min(end - nextIndex + 1, Math.max(1, Math.min(MOST_ENTRIES, AHEAD_BYTES / entryBytes)));
        if (first + count > from.entries()) {
            throw new LogDamagedException(
                    nameOf(wanted),
                    from.entries(),
                    "entries up to " + (end - wanted.firstIndex()),
                    from.entries() + " entries",
                    ADVICE);
        }
        long bytes = 0;
        long index = nextIndex;
        for (ByteBuffer entry : from.read(first, first + count - 1)) {
            String problem = codec.problem(entry, list.checkedEpoch(wanted), index);
            if (problem != null) {
                if (index > nextIndex) {
                    break; // what lies before it is delivered first
                }
                throw new LogDamagedException(
                        nameOf(wanted), index - wanted.firstIndex(), "record " + index, problem, ADVICE);
            }
            bytes += entry.remaining();
            int header = RecordCodec.HEADER_BYTES;
            ahead.add(entry.slice(entry.position() + header, entry.remaining() - header)
                    .asReadOnlyBuffer());
            index++;
        }
        entryBytes = Math.max(1, bytes / Math.max(1, index - nextIndex));
    }

    private static final String ADVICE =
            "The offset counts entries. Nothing was changed; restore the ledger's bookies from a copy";

    private static String nameOf(LedgerList.Part part) {
        return "ledger " + part.ledger();
    }

    private LedgerReader readerOf(LedgerList.Part wanted) throws IOException {
        LedgerReader open = reader;
        LedgerList.Part current = part;
        if (open != null && current != null && current.ledger() == wanted.ledger()) {
            return open;
        }
        closeReader();
        LedgerReader writers = shared.apply(wanted);
        LedgerReader opened = writers == null ? store.openLedger(wanted.ledger()) : writers;
        closesReader = writers == null;
        reader = opened;
        part = wanted;
        return opened;
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
        closeReader();
    }

    private void closeReader() throws IOException {
        LedgerReader open = reader;
        reader = null;
        part = null;
        if (open != null && closesReader) {
            open.close();
        }
    }
}
