package io.plog.log.bookkeeper;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A bookie of a {@link SimulatedCluster}: what it has not forced is gone when it crashes, and what it forced never. */
final class SimulatedBookie {
    /** An entry, and up to which entry its writer knew all to be acknowledged when it sent it. */
    record Entry(ByteBuffer bytes, long lastConfirmed) {}

    /** What the bookie does for a ledger. */
    static final class Ledger {
        final TreeMap<Long, Entry> entries = new TreeMap<>();
        boolean fenced;
    }

    private final Map<Long, Ledger> forced = new HashMap<>();
    private final Map<Long, Ledger> written = new HashMap<>(); // forced, and what is not yet
    private final Map<Long, Map<Long, Entry>> unforced = new HashMap<>(); // those that differ, by ledger and number
    private final List<Runnable> afterForce = new ArrayList<>();
    private boolean up = true;

    boolean isUp() {
        return up;
    }

    /** It loses what it did not force, and answers no request. */
    void crash() {
        up = false;
        written.clear();
        unforced.clear();
        afterForce.clear();
    }

    void restart() {
        up = true;
        forced.forEach((id, ledger) -> {
            Ledger copy = written.computeIfAbsent(id, key -> new Ledger());
            copy.entries.putAll(ledger.entries);
            copy.fenced = ledger.fenced;
        });
    }

    private void write(long id, long number, Entry entry) {
        ledger(id).entries.put(number, entry);
        unforced.computeIfAbsent(id, key -> new HashMap<>()).put(number, entry);
    }

    private Ledger ledger(long id) {
        return written.computeIfAbsent(id, key -> new Ledger());
    }

    boolean isFenced(long id) {
        return ledger(id).fenced;
    }

    /** Writes an entry; the answer is given after the next force. */
    void add(long id, long number, Entry entry, Runnable answer) {
        write(id, number, entry);
        afterForce.add(answer);
    }

    boolean hasUnforced() {
        return up && !afterForce.isEmpty();
    }

    void force() {
        written.forEach((id, ledger) -> {
            Ledger stable = forced.computeIfAbsent(id, key -> new Ledger());
            stable.entries.putAll(unforced.getOrDefault(id, Map.of()));
            stable.fenced |= ledger.fenced;
        });
        unforced.clear();
        List<Runnable> answers = List.copyOf(afterForce);
        afterForce.clear();
        answers.forEach(Runnable::run);
    }

    /** Fences a ledger, stably; says up to which entry its writer knew all to be acknowledged. */
    long fence(long id) {
        ledger(id).fenced = true;
        force();
        return lastConfirmed(id);
    }

    /** Up to which entry a ledger's writer knew all to be acknowledged, as the entries say; -1 if none does. */
    long lastConfirmed(long id) {
        return ledger(id).entries.values().stream()
                .mapToLong(Entry::lastConfirmed)
                .max()
                .orElse(-1);
    }

    @Nullable
    Entry read(long id, long number) {
        return ledger(id).entries.get(number);
    }

    /** The highest number of an entry; 0 if there is none. */
    long lastEntry(long id) {
        TreeMap<Long, Entry> entries = ledger(id).entries;
        return entries.isEmpty() ? 0 : entries.lastKey();
    }

    /** Writes an entry again for a recovery, which needs no answer but that it is forced. */
    void addStably(long id, long number, Entry entry) {
        write(id, number, entry);
        force();
    }

    boolean hasForced(long id, long number) {
        Ledger ledger = forced.get(id);
        return ledger != null && ledger.entries.containsKey(number);
    }

    /** A bit of an entry's last byte changes, and the bookie does not notice. */
    void damage(long id, long number) {
        Entry entry = read(id, number);
        if (entry != null) {
            ByteBuffer changed = ByteBuffer.allocate(entry.bytes().remaining())
                    .put(entry.bytes().duplicate());
            int last = changed.capacity() - 1;
            changed.put(last, (byte) (changed.get(last) ^ 1));
            write(id, number, new Entry(changed.flip(), entry.lastConfirmed()));
        }
    }

    void delete(long id) {
        written.remove(id);
        unforced.remove(id);
        forced.remove(id);
    }
}
