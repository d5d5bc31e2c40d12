package io.plog.server.monitoring;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/**
 * How often each number occurred: exactly up to {@value #EXACT}, and beyond in ranges that double. It only grows, so the
 * difference of two readings is what happened between them. One thread at a time adds, without a locked instruction; any
 * may read, and may miss what is being added at that moment.
 */
public final class CountHistogram {
    /** Numbers up to this have a place of their own. */
    static final int EXACT = 64;

    private static final int EXACT_BITS = Integer.numberOfTrailingZeros(EXACT);
    private static final int PLACES = EXACT + 1 + Integer.SIZE - 1 - EXACT_BITS;

    private final AtomicLongArray counts = new AtomicLongArray(PLACES);

    /** Adds one occurrence of a number, 0 or more. */
    public void add(int number) {
        int place = placeOf(number);
        counts.lazySet(place, counts.getPlain(place) + 1);
    }

    private static int placeOf(int number) {
        return number <= EXACT ? number : EXACT + Integer.SIZE - Integer.numberOfLeadingZeros(number - 1) - EXACT_BITS;
    }

    /** The largest number that is counted in a place. */
    static int most(int place) {
        return place <= EXACT ? place : (int) Math.min(Integer.MAX_VALUE, (long) EXACT << (place - EXACT));
    }

    /** How often numbers of this place occurred. */
    long count(int place) {
        return counts.get(place);
    }

    /** The largest number and the occurrences of each place, without those where nothing is. */
    public List<List<Long>> occurrences() {
        return IntStream.range(0, PLACES)
                .filter(place -> count(place) > 0)
                .mapToObj(place -> List.of((long) most(place), count(place)))
                .toList();
    }
}
