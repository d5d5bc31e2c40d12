package io.plog.stats;

/** Mean and standard deviation with compensated sums (Neumaier 1974), so that a long run loses no digits. Stateless. */
public final class Moments {
    private Moments() {}

    /** The arithmetic mean; 0 of nothing. */
    public static double mean(long[] samples) {
        if (samples.length == 0) {
            return 0;
        }
        Sum sum = new Sum();
        for (long sample : samples) {
            sum.add((double) sample);
        }
        return sum.value() / samples.length;
    }

    /**
     * The standard deviation of the sample, divided by n - 1; 0 with fewer than two samples.
     *
     * @param mean their mean
     */
    public static double sd(long[] samples, double mean) {
        if (samples.length < 2) {
            return 0;
        }
        Sum squares = new Sum();
        for (long sample : samples) {
            double difference = sample - mean;
            squares.add(difference * difference);
        }
        return Math.sqrt(squares.value() / (samples.length - 1));
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
