package io.plog.server.monitoring;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;

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

    int places() {
        return PLACES;
    }

    /** The largest number that is counted in a place. */
    static int most(int place) {
        return place <= EXACT ? place : (int) Math.min(Integer.MAX_VALUE, (long) EXACT << (place - EXACT));
    }

    /** How often numbers of this place occurred. */
    long count(int place) {
        return counts.get(place);
    }

    /** Occurrences of numbers from {@code least} to {@code most}, which are both ends of places. */
    public long between(int least, int most) {
        long all = 0;
        for (int place = placeOf(least); place <= placeOf(most); place++) {
            all += count(place);
        }
        return all;
    }

    /** Names a range of numbers, both ends included, as the metrics do. */
    static String rangeLabel(int least, int most) {
        return least == most ? Integer.toString(most) : String.format(Locale.ROOT, "%d-%d", least, most);
    }

    /** As JSON: an array of {@code [largest number, occurrences]}, without the places where nothing is. */
    public void appendTo(StringBuilder json) {
        json.append('[');
        String comma = "";
        for (int place = 0; place < PLACES; place++) {
            long count = count(place);
            if (count > 0) {
                json.append(comma)
                        .append('[')
                        .append(most(place))
                        .append(',')
                        .append(count)
                        .append(']');
                comma = ",";
            }
        }
        json.append(']');
    }
}
