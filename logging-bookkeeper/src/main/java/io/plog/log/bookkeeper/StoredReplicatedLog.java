package io.plog.log.bookkeeper;

import io.plog.log.Checkpoint;
import io.plog.log.LogReader;
import io.plog.log.LogTools;
import io.plog.log.spi.StoredLog;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A replicated log without its writer: its ledgers are opened without fencing and recovery. For one thread at a time. */
final class StoredReplicatedLog implements StoredLog {
    private static final String ADVICE = "Nothing was changed; restore BookKeeper's metadata from a copy";

    private final String name;
    private final LedgerStore store;
    private LedgerList list;
    private LedgerReader tail; // of the list's last ledger

    private StoredReplicatedLog(String name, LedgerStore store, LedgerList list, LedgerReader tail) {
        this.name = name;
        this.store = store;
        this.list = list;
        this.tail = tail;
    }

    /** Opens a log. Closes the store in the end, and when this throws. */
    static StoredReplicatedLog open(String name, String where, LedgerStore store, @Nullable Quorum asked)
            throws IOException {
        try {
            LedgerStore.Node node = store.lookAtNode();
            if (node == null) {
                throw new LogException(
                        "there is no log at " + where + ": expected one that was written; nothing was created", null);
            }
            LedgerList list = LedgerList.decode(name, node.content());
            list.checkQuorum(name, asked);
            return look(name, store, list);
        } catch (Throwable t) {
            try {
                store.close();
            } catch (IOException e) {
                t.addSuppressed(e);
            }
            throw t;
        }
    }

    /** The list's last ledger may be replaced by another one, if it is empty, before it is opened; then the list was changed, too. */
    private static StoredReplicatedLog look(String name, LedgerStore store, LedgerList first) throws IOException {
        LedgerList list = first;
        while (true) {
            try {
                return new StoredReplicatedLog(
                        name, store, list, store.lookInto(list.last().ledger()));
            } catch (LedgerStore.NoLedgerException e) {
                LedgerList now = latest(name, store);
                if (now.last().equals(list.last())) {
                    throw new LogDamagedException(
                            "ledger " + list.last().ledger(),
                            0,
                            "the last ledger of log " + name,
                            "no such ledger",
                            ADVICE + ", or see what plog log repair says");
                }
                list = now;
            }
        }
    }

    private static LedgerList latest(String name, LedgerStore store) throws IOException {
        LedgerStore.Node node = store.lookAtNode();
        if (node == null) {
            throw new LogDamagedException("/plog/" + name + " in ZooKeeper", 0, "the log's list", "no node", ADVICE);
        }
        return LedgerList.decode(name, node.content());
    }

    private long lastIndex() {
        return list.last().firstIndex() + tail.entries() - 1;
    }

    @Override
    public LogReader read(long fromIndex) throws IOException {
        long last = lastIndex();
        long from = fromIndex == 0 ? list.firstIndex() : fromIndex;
        if (from < list.firstIndex() || from > last + 1) {
            throw new IllegalArgumentException(
                    "cannot read from index " + from + ": the log holds " + list.firstIndex() + " to " + last);
        }
        LedgerList seen = list;
        LedgerReader end = tail;
        return new ReplicatedLogReader(
                store,
                () -> seen,
                () -> latest(name, store),
                part -> part.equals(seen.last()) ? end : null,
                from,
                () -> last);
    }

    @Override
    public Optional<Checkpoint> checkpoint() throws IOException {
        LedgerList from = list;
        while (true) {
            LedgerList.Pointer pointer = from.checkpoint();
            if (pointer == null) {
                return Optional.empty();
            }
            try {
                return Optional.of(CheckpointLedger.read(store, from, pointer));
            } catch (LogDamagedException e) {
                LedgerList now = latest(name, store);
                if (pointer.equals(now.checkpoint())) {
                    throw e;
                }
                from = now; // another one took its place, and it was deleted
            }
        }
    }

    @Override
    public LogTools.Inspection inspect() throws IOException {
        long first = list.firstIndex();
        long read = first - 1;
        LogDamagedException damage = null;
        try (LogReader reader = read(0)) {
            while (reader.next()) {
                read = reader.index();
            }
            checkpoint();
            ChangeNotes.check(name, list.quorum(), store);
        } catch (LogReader.RecordsDroppedException e) {
            tail.close();
            StoredReplicatedLog again = look(name, store, latest(name, store));
            list = again.list;
            tail = again.tail;
            return inspect();
        } catch (LogDamagedException e) {
            damage = e;
        }
        long marked = list.last().firstIndex() + tail.confirmed() - 1;
        return new LogTools.Inspection(
                list.log().toString(),
                first,
                read,
                Math.min(read, marked),
                tail.wasClosed(),
                list.checkpointIndex(),
                segments(read),
                notes(marked, read),
                Optional.ofNullable(damage),
                List.of());
    }

    /** The ledgers, up to the one that could not be read on. */
    private List<LogTools.Segment> segments(long read) {
        List<LogTools.Segment> segments = new ArrayList<>();
        List<LedgerList.Part> parts = list.ledgers();
        for (int i = 0; i < parts.size() && parts.get(i).firstIndex() <= read + 1; i++) {
            LedgerList.Part part = parts.get(i);
            boolean isLast = i == parts.size() - 1;
            long end = isLast ? lastIndex() : parts.get(i + 1).firstIndex() - 1;
            long found = Math.min(end, read);
            boolean sealed = !isLast || tail.wasClosed();
            long bytes = isLast ? tail.bytes() : part.bytes();
            segments.add(new LogTools.Segment(
                    "",
                    "ledger " + part.ledger(),
                    sealed ? "sealed" : "active",
                    found < end ? "damaged" : found < part.firstIndex() ? "empty" : "valid",
                    part.firstIndex(),
                    found,
                    bytes,
                    bytes,
                    0,
                    found < end ? "no valid record " + (found + 1) : sealed ? "the ledger's end" : "no entry"));
        }
        return List.copyOf(segments);
    }

    private List<String> notes(long marked, long read) throws IOException {
        List<String> notes = new ArrayList<>();
        long last = list.last().ledger();
        notes.add("the log was made with " + list.quorum() + "; of each record in its last ledger (" + last + ") "
                + store.placeOf(last, list.quorum()).copies() + " copies are on bookies that are there now");
        if (read > marked) {
            notes.add("records " + (marked + 1) + " to " + read + " are there, and nothing says yet that they were"
                    + " acknowledged; the next opening keeps them if enough bookies have them");
        }
        if (!list.garbage().isEmpty()) {
            notes.add(list.garbage().size() + " ledgers are used no more, and wait to be deleted");
        }
        return List.copyOf(notes);
    }

    @Override
    public List<String> servers() throws IOException {
        return store.queue();
    }

    @Override
    public void close() throws IOException {
        try (store) {
            tail.close();
        }
    }
}
