package io.plog.measure.samples;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Numbers that grow in number, in pieces, so that growing copies none of them. Not thread-safe. */
public final class LongList {
    private static final int PIECE_BITS = 14;
    private static final int PIECE = 1 << PIECE_BITS;

    private final List<long[]> pieces = new ArrayList<>();
    private int count;

    /** Adds one at the end. */
    public void add(long value) {
        if ((count & (PIECE - 1)) == 0) {
            pieces.add(new long[PIECE]);
        }
        pieces.get(count >> PIECE_BITS)[count & (PIECE - 1)] = value;
        count++;
    }

    /** How many there are. */
    public int count() {
        return count;
    }

    /** The one at this place, from 0. */
    public long get(int at) {
        return pieces.get(at >> PIECE_BITS)[at & (PIECE - 1)];
    }

    /** A copy, in the order in which they came. */
    public long[] toArray() {
        long[] all = new long[count];
        for (int from = 0; from < count; from += PIECE) {
            System.arraycopy(pieces.get(from >> PIECE_BITS), 0, all, from, Math.min(PIECE, count - from));
        }
        return all;
    }

    /** A copy, ascending. */
    public long[] sorted() {
        long[] sorted = toArray();
        Arrays.sort(sorted);
        return sorted;
    }
}
