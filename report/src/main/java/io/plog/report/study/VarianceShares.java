package io.plog.report.study;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.report.study.StudyResults.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

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

    /**
     * The share of one component, with the jackknife's interval: over trials, or over the blocks of the only one.
     *
     * @param trials at least one
     */
    static Estimate of(List<CellData> trials, Distributions.Duration component) {
        List<Moments> groups = groups(trials, component);
        Moments all = groups.stream().reduce(new Moments(), (a, b) -> a.plus(b, 1));
        double share = all.share();
        int n = groups.size();
        List<Double> pseudo = groups.stream()
                .map(left -> n * share - (n - 1) * all.plus(left, -1).share())
                .toList();
        return StudyEstimates.around(share, pseudo);
    }

    private static List<Moments> groups(List<CellData> trials, Distributions.Duration component) {
        double origin = trials.stream()
                .map(CellData::samples)
                .filter(samples -> samples.count() > 0)
                .mapToDouble(samples -> Distributions.latency(samples, 0))
                .findFirst()
                .orElse(0);
        List<Moments> groups = new ArrayList<>();
        for (CellData trial : trials) {
            Map<Long, Moments> own = new TreeMap<>();
            Samples samples = trial.samples();
            for (int i = 0; i < samples.count(); i++) {
                own.computeIfAbsent(trials.size() > 1 ? 0 : samples.get(Column.BLOCK, i), block -> new Moments())
                        .add(component.nanos(samples, i) - origin, Distributions.latency(samples, i) - origin);
            }
            groups.addAll(own.values());
        }
        return groups;
    }

    /** In words. */
    static String text(Estimate share) {
        Double low = share.low();
        Double high = share.high();
        return String.format(Locale.ROOT, "%.0f %%", 100 * share.value())
                + (low == null || high == null
                        ? ""
                        : String.format(Locale.ROOT, " (%.0f to %.0f)", 100 * low, 100 * high));
    }
}
