package io.plog.log.segment;

import java.util.Arrays;

/**
 * Where some of the records of a segment begin, in order: 8 bytes of memory for each 8 KiB of the segment, at most. It grows while the
 * segment is written or read for the first time. A hint and nothing more: who uses it checks what stands there. For any thread.
 */
public final class RecordPlaces {
    static final int GRAIN_BYTES = 8 * 1024;
    private static final int FIRST_LENGTH = 16;

    private final int most; // numbers in the array
    private long base; // the index of the first place
    private volatile int[] places = {}; // of each its index behind the base, and its offset
    private volatile int used; // the numbers in it that are there to be read; set after them
    private volatile long next; // what begins before this offset is left out

    RecordPlaces(long segmentBytes) {
        most = 2 * (int) (segmentBytes / GRAIN_BYTES);
    }

    /** A record begins there; each one that lies before it was noted before. */
    public void note(long index, long offset) {
        if (offset >= next) {
            add(index, offset);
        }
    }

    private synchronized void add(long index, long offset) {
        int at = used;
        if (offset < next || at == most || (at > 0 && index - base > Integer.MAX_VALUE)) {
            return;
        }
        int[] noted = places;
        if (at == noted.length) {
            noted = Arrays.copyOf(noted, Math.min(most, Math.max(FIRST_LENGTH, 2 * at)));
            places = noted;
        }
        base = at == 0 ? index : base;
        noted[at] = (int) (index - base);
        noted[at + 1] = (int) offset;
        used = at + 2;
        next = offset + GRAIN_BYTES;
    }

    /** The number of the last place that is not behind a record; -1 if none is known. */
    public int before(long index) {
        int low = 0;
        int high = used / 2 - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (index(middle) <= index) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    /** The index of the record that begins at a place. */
    public long index(int place) {
        return base + places[2 * place];
    }

    /** Where it begins, in bytes from the start of the file. */
    public long offset(int place) {
        return places[2 * place + 1];
    }

    /** How many bytes lie between a place and the next; of the last place, how many are worth reading at once. */
    int bytesFrom(int place) {
        return 2 * place + 2 < used ? (int) (offset(place + 1) - offset(place)) : GRAIN_BYTES;
    }
}
