package io.plog.stats;

import io.plog.stats.numbers.Longs;

/** Mean and standard deviation with compensated sums (Neumaier 1974), so that a long run loses no digits. Stateless. */
public final class Moments {
    private Moments() {}

    /** The arithmetic mean; 0 of nothing. */
    public static double mean(Longs samples) {
        if (samples.count() == 0) {
            return 0;
        }
        Sum sum = new Sum();
        for (long i = 0; i < samples.count(); i++) {
            sum.add((double) samples.get(i));
        }
        return sum.value() / samples.count();
    }

    /**
     * The standard deviation of the sample, divided by n - 1; 0 with fewer than two samples.
     *
     * @param mean their mean
     */
    public static double sd(Longs samples, double mean) {
        if (samples.count() < 2) {
            return 0;
        }
        Sum squares = new Sum();
        for (long i = 0; i < samples.count(); i++) {
            double difference = samples.get(i) - mean;
            squares.add(difference * difference);
        }
        return Math.sqrt(squares.value() / (samples.count() - 1));
    }

    private static final class Sum {
        private double sum;
        private double lost;

        void add(double value) {
            double next = sum + value;
            lost += Math.abs(sum) >= Math.abs(value) ? (sum - next) + value : (value - next) + sum;
            sum = next;
        }

        double value() {
            return sum + lost;
        }
    }
}
