package io.plog.app.audit;

import java.util.ArrayList;
import java.util.List;

/**
 * What a ledger says was acknowledged, found by client and request: 32 bytes for each and 5 to 11 more for finding it,
 * so that ten million fit into half a gigabyte. Each has an id, counted from 0 in the order of adding. For one thread.
 */
final class Acknowledgements {
    /** The result of adding an acknowledgement. */
    enum Added {
        /** It was not known. */
        NEW,
        /** It was known, with the same place and content. */
        REPEAT,
        /** It was known with another place or content. */
        CONTRADICTION
    }

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
     * @throws IllegalStateException if there are more than half a billion
     */
    Added add(long client, long request, long index, int length, int crc32c) {
        int slot = slot(client, request);
        long content = content(length, crc32c);
        if (slots[slot] != 0) {
            int known = slots[slot] - 1;
            return index(known) == index && content(known) == content ? Added.REPEAT : Added.CONTRADICTION;
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
        chunk[at + 2] = index;
        chunk[at + 3] = content;
        slots[slot] = id + 1;
        if (size > slots.length / 4 * 3) {
            grow();
        }
        return Added.NEW;
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

    /** The index that the client was given. */
    long index(int id) {
        return chunk(id)[at(id) + 2];
    }

    /** The payload's length in bytes. */
    int length(int id) {
        return (int) (content(id) >>> 32);
    }

    /** The payload's CRC-32C. */
    int crc32c(int id) {
        return (int) content(id);
    }

    private long content(int id) {
        return chunk(id)[at(id) + 3];
    }

    private static long content(int length, int crc32c) {
        return ((long) length << 32) | Integer.toUnsignedLong(crc32c);
    }

    private long[] chunk(int id) {
        return chunks.get(id / CHUNK_ENTRIES);
    }

    private static int at(int id) {
        return id % CHUNK_ENTRIES * ENTRY_LONGS;
    }
}
