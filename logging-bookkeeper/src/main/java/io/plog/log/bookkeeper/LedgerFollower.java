package io.plog.log.bookkeeper;

import io.plog.log.Checkpoint;
import io.plog.log.DurableLog;
import io.plog.log.LogReader;
import io.plog.log.spi.LogFollower;
import io.plog.log.storage.LogDamagedException;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Follows a log by its list and by what the entries of its last ledger say. The list is read after these were asked: as long as it names
 * no other ledger behind this one, the ledger is not deleted, so what was confirmed is its writer's, and a recovery keeps it.
 */
final class LedgerFollower implements LogFollower {
    /** A checkpoint that spares more records is worth beginning anew. */
    static final long WORTH_A_BEGINNING = 10_000;

    interface Stores {
        LedgerStore connect() throws IOException;
    }

    private record Tail(LedgerList.Part part, LedgerReader reader) {}

    private final String name;
    private final Stores stores;
    private @Nullable LedgerStore store;
    private @Nullable Tail tail;
    private volatile @Nullable LedgerList list; // in which all that was delivered stands
    private volatile long confirmed;

    LedgerFollower(String name, Stores stores) {
        this.name = name;
        this.stores = stores;
    }

    @Override
    public Beginning begin() throws IOException {
        LedgerStore from = connected();
        while (true) {
            LedgerList now = latest(from);
            LedgerList.Pointer pointer = now.checkpoint();
            try {
                Optional<Checkpoint> checkpoint =
                        pointer == null ? Optional.empty() : Optional.of(CheckpointLedger.read(from, now, pointer));
                list = now;
                return new Beginning(checkpoint, now.firstIndex());
            } catch (LogDamagedException e) {
                if (Objects.equals(pointer, latest(from).checkpoint())) {
                    throw e; // otherwise another one took its place
                }
            }
        }
    }

    @Override
    public LogReader read(long fromIndex) throws IOException {
        LedgerStore from = connected();
        if (tail == null) {
            goOn(latest(from), fromIndex - 1);
        }
        LedgerList seen;
        LedgerReader end;
        do {
            seen = known();
            end = tailOf(from, seen.last());
            goOn(latest(from), fromIndex - 1);
        } while (!known().last().equals(seen.last()));
        long last = seen.last().firstIndex() + end.entries() - 1;
        confirmed = last;
        LedgerList.Part active = seen.last();
        LedgerReader shared = end;
        return new ReplicatedLogReader(
                from,
                this::known,
                () -> latest(from),
                part -> part.equals(active) ? shared : null,
                fromIndex,
                () -> last);
    }

    private LedgerReader tailOf(LedgerStore from, LedgerList.Part last) throws IOException {
        Tail open = tail;
        if (open != null && open.part().equals(last)) {
            open.reader().refresh();
            return open.reader();
        }
        closeTail();
        LedgerReader opened = from.follow(last.ledger());
        tail = new Tail(last, opened);
        return opened;
    }

    private LedgerList known() {
        return Objects.requireNonNull(list, "begin() comes first");
    }

    private LedgerList latest(LedgerStore from) throws IOException {
        LedgerStore.Node node = from.lookAtNode();
        if (node == null) {
            throw new StartAnewException("there is no log " + name);
        }
        return LedgerList.decode(name, node.content());
    }

    // ---- Whether it is the beginning ----

    /** @param index of the record that was delivered last */
    private void goOn(LedgerList now, long index) throws StartAnewException {
        if (!isBeginningOf(now, index)) {
            throw new StartAnewException(
                    "what was read of log " + name + " up to record " + index + " is not what the log continues with");
        }
        list = now;
    }

    private boolean isBeginningOf(LedgerList now, long index) {
        LedgerList before = list;
        return before != null
                && now.log().equals(before.log())
                && index >= now.firstIndex() - 1
                && now.checkpointIndex() - index <= WORTH_A_BEGINNING
                && hasInSamePlace(now, before, index);
    }

    /** A ledger that was entered where another ended too early has the same index, and maybe another record. */
    private static boolean hasInSamePlace(LedgerList now, LedgerList before, long index) {
        return index < Math.max(now.firstIndex(), before.firstIndex()) || partOf(now, index) == partOf(before, index);
    }

    private static long partOf(LedgerList list, long index) {
        return list.ledgers().get(list.placeOf(index)).ledger();
    }

    @Override
    public boolean isBeginningOf(DurableLog opened, long index) {
        return opened instanceof ReplicatedLog log && index <= log.durableIndex() && isBeginningOf(log.list(), index);
    }

    @Override
    public long confirmedIndex() {
        return confirmed;
    }

    @Override
    public long checkpointIndex() {
        LedgerList now = list;
        return now == null ? 0 : now.checkpointIndex();
    }

    // ---- The connection ----

    private LedgerStore connected() throws IOException {
        LedgerStore open = store;
        if (open == null) {
            open = stores.connect();
            store = open;
        }
        return open;
    }

    private void closeTail() throws IOException {
        Tail open = tail;
        tail = null;
        if (open != null) {
            open.reader().close();
        }
    }

    @Override
    public void close() throws IOException {
        LedgerStore open = store;
        store = null;
        try {
            closeTail();
        } finally {
            if (open != null) {
                open.close();
            }
        }
    }
}
