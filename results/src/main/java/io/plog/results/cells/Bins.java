package io.plog.results.cells;

import io.plog.measure.samples.Bin;
import java.util.List;

/** Bins of whole numbers: each number up to 16 by itself, then eight bins to a doubling. Stateless. */
public final class Bins {
    private static final int SINGLE = 16;

    private Bins() {}

    /** The least number of the bin that a number is in. */
    static long from(long number) {
        if (number <= SINGLE) {
            return number;
        }
        long step = step(number);
        return number / step * step;
    }

    /** The greatest number of a bin that begins so. */
    static long to(long from) {
        return from <= SINGLE - 1 ? from : from + step(from) - 1;
    }

    private static long step(long number) {
        return Math.max(1, Long.highestOneBit(number) / 8);
    }

    /** The mean, as if all of a bin lay in its middle; 0 without any. Most bins hold one number. */
    public static double mean(List<Bin> bins) {
        double sum = 0;
        double count = 0;
        for (Bin bin : bins) {
            sum += bin.count() * (bin.from() + bin.to()) / 2.0;
            count += bin.count();
        }
        return count == 0 ? 0 : sum / count;
    }
}
