package io.plog.app.audit;

import io.plog.app.audit.Violation.Place;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a ledger says was acknowledged, found by client and request: 32 bytes for each and 5 to 11 more for finding it,
 * so that ten million fit into half a gigabyte. Each has an id, counted from 0 in the order of adding. For one thread.
 */
final class Acknowledgements {
    private static final int CHUNK_ENTRIES = 1 << 16;
    private static final int ENTRY_LONGS = 4;
    private static final int MOST = 1 << 29;

    /** Client, request, index, and length with checksum, one entry behind the other, in chunks: growing copies nothing. */
    private final List<long[]> chunks = new ArrayList<>();

    /** Open addressing: an entry's id plus one, or 0. */
    private int[] slots = new int[1 << 10];

    private int size;

    /**
     * Adds one, unless its client and request are known.
     *
     * @return the place that is known of them; null if none was
     * @throws IllegalStateException if there are more than half a billion
     */
    @Nullable
    Place add(long client, long request, Place place) {
        int slot = slot(client, request);
        if (slots[slot] != 0) {
            return place(slots[slot] - 1);
        }
        if (size == MOST) {
            throw new IllegalStateException("more than " + MOST + " acknowledgements: audit the ledgers one by one");
        }
        int id = size++;
        if (id / CHUNK_ENTRIES == chunks.size()) {
            chunks.add(new long[CHUNK_ENTRIES * ENTRY_LONGS]);
        }
        long[] chunk = chunk(id);
        int at = at(id);
        chunk[at] = client;
        chunk[at + 1] = request;
        chunk[at + 2] = place.index();
        chunk[at + 3] = ((long) place.length() << 32) | Integer.toUnsignedLong(place.crc32c());
        slots[slot] = id + 1;
        if (size > slots.length / 4 * 3) {
            grow();
        }
        return null;
    }

    private void grow() {
        slots = new int[slots.length * 2];
        for (int id = 0; id < size; id++) {
            slots[slot(client(id), request(id))] = id + 1;
        }
    }

    /** Where the entry is, or the free slot where it would be. */
    private int slot(long client, long request) {
        int mask = slots.length - 1;
        // The finaliser of MurmurHash3: numbers that only count up must not end up side by side.
        long hash = client * 0x9E3779B97F4A7C15L + request;
        hash = (hash ^ (hash >>> 33)) * 0xFF51AFD7ED558CCDL;
        hash = (hash ^ (hash >>> 33)) * 0xC4CEB9FE1A85EC53L;
        int slot = (int) (hash ^ (hash >>> 33)) & mask;
        while (slots[slot] != 0 && !(request(slots[slot] - 1) == request && client(slots[slot] - 1) == client)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    /** The entry's id, or -1 if there is none. */
    int find(long client, long request) {
        return slots[slot(client, request)] - 1;
    }

    int size() {
        return size;
    }

    long client(int id) {
        return chunk(id)[at(id)];
    }

    long request(int id) {
        return chunk(id)[at(id) + 1];
    }

    /** The place that the client was given. */
    Place place(int id) {
        long content = chunk(id)[at(id) + 3];
        return new Place(chunk(id)[at(id) + 2], (int) (content >>> 32), (int) content);
    }

    private long[] chunk(int id) {
        return chunks.get(id / CHUNK_ENTRIES);
    }

    private static int at(int id) {
        return id % CHUNK_ENTRIES * ENTRY_LONGS;
    }
}
