package io.plog.results.cells;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.stats.Estimate;
import io.plog.stats.numbers.Longs;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

/**
 * Which component makes the spread of a latency: the covariance of each with the whole, by the variance of the whole. As the
 * components add up to the latency, their shares add up to 1. Stateless.
 */
final class VarianceShares {
    private VarianceShares() {}

    /** Sums over requests, taken from a first value so that large means do not eat the digits. */
    private static final class Moments {
        private double count;
        private double part;
        private double whole;
        private double partWhole;
        private double wholeWhole;

        void add(double c, double l) {
            count++;
            part += c;
            whole += l;
            partWhole += c * l;
            wholeWhole += l * l;
        }

        Moments plus(Moments other, int sign) {
            Moments sum = new Moments();
            sum.count = count + sign * other.count;
            sum.part = part + sign * other.part;
            sum.whole = whole + sign * other.whole;
            sum.partWhole = partWhole + sign * other.partWhole;
            sum.wholeWhole = wholeWhole + sign * other.wholeWhole;
            return sum;
        }

        /** 0 if all latencies are alike. */
        double share() {
            double variance = wholeWhole - whole * whole / Math.max(1, count);
            return variance <= 0 ? 0 : (partWhole - part * whole / count) / variance;
        }
    }

    /** The share of one component, with the jackknife's interval: over trials, or over the blocks of the only one. */
    static Estimate of(Samples samples, Longs counted, LongUnaryOperator component) {
        long first = samples.get(Column.TRIAL, counted.first());
        boolean several =
                LongStream.range(0, counted.count()).anyMatch(i -> samples.get(Column.TRIAL, counted.get(i)) != first);
        Column grouping = several ? Column.TRIAL : Column.BLOCK;
        double origin = samples.get(Column.END_TO_END, counted.first());
        Map<Long, Moments> byGroup = new TreeMap<>();
        for (long at = 0; at < counted.count(); at++) {
            long i = counted.get(at);
            byGroup.computeIfAbsent(samples.get(grouping, i), group -> new Moments())
                    .add(component.applyAsLong(i) - origin, samples.get(Column.END_TO_END, i) - origin);
        }
        List<Moments> groups = List.copyOf(byGroup.values());
        Moments all = groups.stream().reduce(new Moments(), (a, b) -> a.plus(b, 1));
        double share = all.share();
        int n = groups.size();
        return StudentInterval.around(
                share,
                groups.stream()
                        .map(left -> n * share - (n - 1) * all.plus(left, -1).share())
                        .toList());
    }
}
