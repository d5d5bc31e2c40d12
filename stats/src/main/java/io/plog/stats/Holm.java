package io.plog.stats;

import java.util.Comparator;
import java.util.stream.IntStream;

/** Several tests together, so that the chance of a single false finding among them stays what it is for one. Stateless. */
public final class Holm {
    private Holm() {}

    /**
     * Holm's step-down adjustment (1979): what each test's error is once all are counted. A finding stands if its adjusted error is
     * below the level that a single test would have.
     *
     * @param errors p-values, 0 to 1
     * @return in the same order, each at least as large as before and at most 1
     */
    public static double[] adjusted(double[] errors) {
        int[] order = IntStream.range(0, errors.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> errors[i]))
                .mapToInt(i -> i)
                .toArray();
        double[] adjusted = new double[errors.length];
        double greatest = 0;
        for (int i = 0; i < order.length; i++) {
            greatest = Math.max(greatest, Math.min(1, (order.length - i) * errors[order[i]]));
            adjusted[order[i]] = greatest;
        }
        return adjusted;
    }
}
