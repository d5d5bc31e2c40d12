package io.plog.stats;

import io.plog.stats.numbers.Longs;
import java.util.ArrayList;
import java.util.Arrays;
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
    public static LatencyDeciles of(Longs sizes, Longs latencies) {
        long count = sizes.count();
        if (count != latencies.count() || count < DECILES) {
            throw new IllegalArgumentException(count + " sizes and " + latencies.count()
                    + " latencies, expected as many of both, and ten or more");
        }
        List<Longs> bySize = sizes.sortedWith(latencies);
        List<Series> series = seriesOf(bySize.get(0));
        Longs inOrder =
                bySize.get(1).sortedWith(bySize.get(0)).get(1); // sizes by latency; of equal ones the smaller first
        List<List<Double>> shares = new ArrayList<>();
        for (int decile = 0; decile < DECILES; decile++) {
            long from = count * decile / DECILES;
            long to = count * (decile + 1) / DECILES;
            long[] counts = new long[series.size()];
            for (long i = from; i < to; i++) {
                counts[indexOf(series, inOrder.get(i))]++;
            }
            shares.add(Arrays.stream(counts)
                    .mapToObj(each -> (double) each / (to - from))
                    .toList());
        }
        return new LatencyDeciles(series, List.copyOf(shares));
    }

    private static int indexOf(List<Series> series, long size) {
        int index = 0;
        while (size > series.get(index).toBytes()) {
            index++;
        }
        return index;
    }

    /** Cuts at the quartiles of the requests sent; requests of one size stay together, so a frequent size is a series of its own. */
    private static List<Series> seriesOf(Longs ascending) {
        List<Series> series = new ArrayList<>();
        long from = 0;
        while (from < ascending.count()) {
            int left = MOST_SERIES - series.size();
            long wanted = from + Math.max(1, (ascending.count() - from + left / 2) / left);
            long to = nearestCut(ascending, from, Math.min(wanted, ascending.count()));
            series.add(
                    new Series(ascending.get(from), ascending.get(to - 1), (double) (to - from) / ascending.count()));
            from = to;
        }
        return List.copyOf(series);
    }

    /** Before or after the run of equal sizes that holds the wanted cut, whichever is nearer, but not where the series begins. */
    private static long nearestCut(Longs ascending, long from, long wanted) {
        if (wanted == ascending.count() || ascending.get(wanted) != ascending.get(wanted - 1)) {
            return wanted;
        }
        long before = Math.max(from, Quantiles.countAtMost(ascending, ascending.get(wanted) - 1));
        long after = Quantiles.countAtMost(ascending, ascending.get(wanted));
        return before > from && wanted - before <= after - wanted ? before : after;
    }
}
