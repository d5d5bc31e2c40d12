package io.plog.measure.load;

import java.util.List;

/**
 * A class of payload sizes, of which one cell is made.
 *
 * @param weight against the mix's other classes, more than 0
 * @param sizes at least one, ascending and apart from each other
 */
public record SizeClass(double weight, List<Sizes> sizes) {
    /**
     * Sizes of which each is as likely as the others.
     *
     * @param leastBytes 0 or more
     * @param mostBytes at least as many
     * @param weight against the class's others, more than 0
     */
    public record Sizes(int leastBytes, int mostBytes, double weight) {
        /**
         * Checks the ranges.
         *
         * @throws IllegalArgumentException if one is wrong
         */
        public Sizes {
            if (leastBytes < 0 || mostBytes < leastBytes) {
                throw new IllegalArgumentException("mix has sizes from " + leastBytes + " to " + mostBytes
                        + ": expected the smaller first, and at least 0");
            }
            checkWeight(weight);
        }
    }

    /**
     * Checks weights and order.
     *
     * @throws IllegalArgumentException if one is wrong
     */
    public SizeClass {
        sizes = List.copyOf(sizes);
        checkWeight(weight);
        if (sizes.isEmpty()) {
            throw new IllegalArgumentException("mix has a class without sizes: expected at least one");
        }
    }

    /** The smallest. */
    public int leastBytes() {
        return sizes.get(0).leastBytes();
    }

    /** The largest; cells go by it. */
    public int mostBytes() {
        return sizes.get(sizes.size() - 1).mostBytes();
    }

    private static void checkWeight(double weight) {
        if (!(weight > 0) || weight > 1e9) {
            throw new IllegalArgumentException(
                    "mix has a weight of " + weight + ": expected a number over 0, at most 1000000000");
        }
    }
}
