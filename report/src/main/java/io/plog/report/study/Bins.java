package io.plog.report.study;

/** Bins of whole numbers: each number up to 16 by itself, then eight bins to a doubling. Stateless. */
final class Bins {
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
}
