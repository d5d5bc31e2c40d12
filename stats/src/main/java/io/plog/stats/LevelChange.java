package io.plog.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where a series changes its level: Pettitt's rank test (1979), at 1 % and by a factor of {@value #LEAST_FACTOR} at least, then again
 * on either side of what it finds. No distribution is supposed; of a series without a change, whose values do not depend on each other,
 * one in a hundred has one.
 *
 * @param at the first value of the new level, from 0
 * @param before the median from the change before on, or the beginning
 * @param after the median up to the next change, or the end
 */
public record LevelChange(int at, double before, double after) {
    private static final double LEVEL = 0.01;
    private static final double LEAST_FACTOR = 1.25;

    /** Those of a series in time, in its order. */
    public static List<LevelChange> of(double[] series) {
        List<Integer> ends = new ArrayList<>(List.of(0));
        find(series, 0, series.length, ends);
        ends.add(series.length);
        List<LevelChange> changes = new ArrayList<>();
        for (int i = 1; i < ends.size() - 1; i++) {
            changes.add(new LevelChange(
                    ends.get(i),
                    median(series, ends.get(i - 1), ends.get(i)),
                    median(series, ends.get(i), ends.get(i + 1))));
        }
        return changes;
    }

    /** Adds where a part of the series changes, in order. */
    private static void find(double[] series, int from, int to, List<Integer> found) {
        long most = 0;
        int at = from;
        long sum = 0;
        for (int split = from; split < to - 1; split++) {
            for (int j = from; j < to; j++) {
                sum += (long) Math.signum(series[split] - series[j]);
            }
            if (Math.abs(sum) > most) {
                most = Math.abs(sum);
                at = split + 1;
            }
        }
        double n = to - from;
        double p = 2 * Math.exp(-6.0 * most * most / (n * n * n + n * n));
        if (most == 0 || p > LEVEL) {
            return;
        }
        double factor = median(series, at, to) / median(series, from, at);
        if (Math.max(factor, 1 / factor) >= LEAST_FACTOR) {
            find(series, from, at, found);
            found.add(at);
            find(series, at, to, found);
        }
    }

    private static double median(double[] series, int from, int to) {
        double[] sorted = Arrays.copyOfRange(series, from, to);
        Arrays.sort(sorted);
        return sorted[(sorted.length - 1) / 2];
    }
}
