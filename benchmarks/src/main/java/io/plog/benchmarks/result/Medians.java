package io.plog.benchmarks.result;

import java.util.Arrays;
import java.util.Collection;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Medians over rounds. Stateless. */
public final class Medians {
    private Medians() {}

    /**
     * The middle value; of an even number of them, the mean of the two in the middle.
     *
     * @param values at least one, in any order
     */
    public static double of(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("the median of no values");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The median of a figure of which some may be unknown; null if all are. */
    public static <T> @Nullable Double of(Collection<T> rounds, Function<T, @Nullable Double> figure) {
        double[] known = rounds.stream()
                .map(figure)
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .toArray();
        return known.length == 0 ? null : of(known);
    }
}
