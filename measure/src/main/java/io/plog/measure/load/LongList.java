package io.plog.measure.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Numbers that grow in number, in pieces, so that growing copies none of them. Not thread-safe. */
final class LongList {
    private static final int PIECE_BITS = 14;
    private static final int PIECE = 1 << PIECE_BITS;

    private final List<long[]> pieces = new ArrayList<>();
    private int count;

    void add(long value) {
        if ((count & (PIECE - 1)) == 0) {
            pieces.add(new long[PIECE]);
        }
        pieces.get(count >> PIECE_BITS)[count & (PIECE - 1)] = value;
        count++;
    }

    int count() {
        return count;
    }

    long get(int at) {
        return pieces.get(at >> PIECE_BITS)[at & (PIECE - 1)];
    }

    /** Ascending. */
    long[] sorted() {
        long[] sorted = new long[count];
        for (int from = 0; from < count; from += PIECE) {
            System.arraycopy(pieces.get(from >> PIECE_BITS), 0, sorted, from, Math.min(PIECE, count - from));
        }
        Arrays.sort(sorted);
        return sorted;
    }
}
