package io.plog.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Which sizes the fast and the slow responses have (Ruan and Pai 2006, their stacked bars): the responses sorted by latency and
 * cut into ten equal groups, and the share that each series of sizes has in each. If small ones are answered first, the first
 * bars hold the first series only; if the order has nothing to do with the size, all bars look alike.
 *
 * @param series of ascending sizes, each of about a quarter of the requests where the sizes allow that
 * @param shares for each decile from the fastest on, the share of each series, 0 to 1; they sum to 1
 */
public record LatencyDeciles(List<Series> series, List<List<Double>> shares) {
    private static final int DECILES = 10;
    private static final int MOST_SERIES = 4;

    /**
     * A range of sizes.
     *
     * @param fromBytes the smallest size that was sent
     * @param toBytes the largest
     * @param share of all requests, 0 to 1
     */
    public record Series(long fromBytes, long toBytes, double share) {}

    /**
     * The deciles of one run.
     *
     * @param sizes of the responses, in bytes
     * @param latencies theirs, in any unit; equal ones are taken in the order of sizes
     * @throws IllegalArgumentException if there are not as many of both, or fewer than ten
     */
    public static LatencyDeciles of(long[] sizes, long[] latencies) {
        if (sizes.length != latencies.length || sizes.length < DECILES) {
            throw new IllegalArgumentException(sizes.length + " sizes and " + latencies.length
                    + " latencies, expected as many of both, and ten or more");
        }
        List<Series> series = seriesOf(sizes);
        Integer[] order = order(sizes, latencies);
        List<List<Double>> shares = new ArrayList<>();
        for (int decile = 0; decile < DECILES; decile++) {
            int from = (int) ((long) sizes.length * decile / DECILES);
            int to = (int) ((long) sizes.length * (decile + 1) / DECILES);
            int[] counts = new int[series.size()];
            for (int i = from; i < to; i++) {
                counts[indexOf(series, sizes[order[i]])]++;
            }
            shares.add(Arrays.stream(counts)
                    .mapToObj(count -> (double) count / (to - from))
                    .toList());
        }
        return new LatencyDeciles(series, List.copyOf(shares));
    }

    /** The responses' places by their latencies, equal ones by their sizes. */
    static Integer[] order(long[] sizes, long[] latencies) {
        Integer[] order = new Integer[sizes.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.<Integer>comparingLong(i -> latencies[i]).thenComparingLong(i -> sizes[i]));
        return order;
    }

    private static int indexOf(List<Series> series, long size) {
        int index = 0;
        while (size > series.get(index).toBytes()) {
            index++;
        }
        return index;
    }

    /** Cuts at the quartiles of the requests sent; requests of one size stay together, so a frequent size is a series of its own. */
    private static List<Series> seriesOf(long[] sizes) {
        long[] ascending = sizes.clone();
        Arrays.sort(ascending);
        List<Series> series = new ArrayList<>();
        int from = 0;
        while (from < ascending.length) {
            int left = MOST_SERIES - series.size();
            int wanted = from + Math.max(1, (ascending.length - from + left / 2) / left);
            int to = nearestCut(ascending, from, Math.min(wanted, ascending.length));
            series.add(new Series(ascending[from], ascending[to - 1], (double) (to - from) / ascending.length));
            from = to;
        }
        return List.copyOf(series);
    }

    /** Before or after the run of equal sizes that holds the wanted cut, whichever is nearer, but not where the series begins. */
    private static int nearestCut(long[] ascending, int from, int wanted) {
        int before = wanted;
        while (before > from && before < ascending.length && ascending[before] == ascending[before - 1]) {
            before--;
        }
        int after = wanted;
        while (after < ascending.length && ascending[after] == ascending[after - 1]) {
            after++;
        }
        return before > from && wanted - before <= after - wanted ? before : after;
    }
}
