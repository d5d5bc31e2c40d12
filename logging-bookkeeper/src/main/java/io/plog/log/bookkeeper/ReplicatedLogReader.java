package io.plog.log.bookkeeper;

import io.plog.log.DurableLogSupport;
import io.plog.log.LogReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Reads the records of a log from its ledgers. For one thread at a time. */
final class ReplicatedLogReader extends LogReader {
    /** How many bytes are read ahead, about. */
    private static final long AHEAD_BYTES = 1024 * 1024;

    private static final int MOST_ENTRIES = 256;

    /** Where a ledger's entries come from: the writer's own handle, or another. */
    interface Source {
        LedgerReader open(LedgerList.Part part) throws IOException;
    }

    /** Where the log's ledgers are listed. */
    interface Lists {
        /** As they were known last. */
        LedgerList known();

        /**
         * As they are now: asked when a ledger is not as it was known.
         *
         * @throws IOException if they are not to be read any more, or no server answers
         */
        LedgerList latest() throws IOException;
    }

    private final Lists lists;
    private final Source source;
    private final LongSupplier durableIndex;
    private final DurableLogSupport.RecordCodec codec = new DurableLogSupport.RecordCodec();

    private final Deque<ByteBuffer> ahead = new ArrayDeque<>();
    private long nextIndex;
    private long entryBytes = AHEAD_BYTES / 16; // about, as the entries read last say
    private LedgerList.@Nullable Part part; // whose reader is open
    private @Nullable LedgerReader reader;
    private @Nullable ByteBuffer payload;

    ReplicatedLogReader(Lists lists, Source source, long fromIndex, LongSupplier durableIndex) {
        this.lists = lists;
        this.source = source;
        this.nextIndex = fromIndex;
        this.durableIndex = durableIndex;
    }

    @Override
    public boolean next() throws IOException {
        payload = null;
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

    private void readAhead(long durable) throws IOException {
        LedgerList list = lists.known();
        if (list.firstIndex() > nextIndex) {
            throw DurableLogSupport.dropped(nextIndex, list.firstIndex(), new IOException("dropped"));
        }
        int place = list.placeOf(nextIndex);
        LedgerList.Part wanted = list.ledgers().get(place);
        long end = place + 1 < list.ledgers().size()
                ? Math.min(durable, list.ledgers().get(place + 1).firstIndex() - 1)
                : durable;
        try {
            readFrom(list, wanted, end);
        } catch (IOException e) {
            long first = lists.latest().firstIndex();
            if (first > nextIndex) {
                throw DurableLogSupport.dropped(nextIndex, first, e);
            }
            throw e instanceof LedgerStore.NoLedgerException
                    ? DurableLogSupport.damaged(nameOf(wanted), 0, "a ledger of the log", "no such ledger", ADVICE)
                    : e;
        }
    }

    private void readFrom(LedgerList list, LedgerList.Part wanted, long end) throws IOException {
        LedgerReader from = readerOf(wanted);
        long first = nextIndex - wanted.firstIndex();
        long count = Math.min(end - nextIndex + 1, Math.max(1, Math.min(MOST_ENTRIES, AHEAD_BYTES / entryBytes)));
        if (first + count > from.entries()) {
            throw DurableLogSupport.damaged(
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
                throw DurableLogSupport.damaged(
                        nameOf(wanted), index - wanted.firstIndex(), "record " + index, problem, ADVICE);
            }
            bytes += entry.remaining();
            int header = DurableLogSupport.RECORD_HEADER_BYTES;
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
        close();
        LedgerReader opened = source.open(wanted);
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
        LedgerReader open = reader;
        reader = null;
        part = null;
        if (open != null) {
            open.close();
        }
    }
}
