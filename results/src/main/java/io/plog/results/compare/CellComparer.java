package io.plog.results.compare;

import io.plog.stats.Comparison;
import io.plog.stats.Estimate;
import io.plog.stats.Estimates;
import io.plog.stats.Moments;
import io.plog.stats.Quantiles;
import io.plog.stats.Replicates;
import io.plog.stats.Simultaneous;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares cells and says in words what was found. A figure <em>differs</em> if its joint interval, which holds together with all
 * others of the comparison, lies wholly on one side of 1.
 *
 * <p>Two runs of a single trial each are a case of their own: their intervals know how requests and blocks differ, not how one pair of
 * processes differs from the next, which is some per cent. There the whole interval must lie beyond {@link #BETWEEN_PROCESSES}.
 */
final class CellComparer {
    /** What two runs of the same thing may differ by without a reason that anyone would look for. */
    static final double BETWEEN_PROCESSES = 1.05;

    private final boolean paired;
    private final int intervals;
    private final double margin;

    /**
     * For all cells of a comparison.
     *
     * @param intervals how many ratios it looks at
     * @param singleTrial whether one of two separate runs has a single trial
     */
    CellComparer(boolean paired, int intervals, boolean singleTrial) {
        this.paired = paired;
        this.intervals = intervals;
        margin = !paired && singleTrial ? BETWEEN_PROCESSES : 1;
    }

    Assessment.Cell compare(TargetPair pair, int payloadBytes, Measure measure, Replicates a, Replicates b) {
        boolean pairs = paired && a.hasShapeOf(b);
        Comparison found = Comparison.of(b, a, pairs);
        double stretch = Simultaneous.stretch(
                intervals,
                Math.max(1, Math.min(Estimates.of(a).parts(), Estimates.of(b).parts()) - 1));
        List<Assessment.Row> rows = new ArrayList<>();
        for (Statistic figure : Statistic.COMPARED) {
            Estimate ratio = ratio(found, b, a, pairs, figure);
            Estimate difference = difference(found, figure);
            Estimate joint = Simultaneous.ratio(ratio, stretch);
            rows.add(new Assessment.Row(
                    figure,
                    Micros.ofNanos(value(a, figure)),
                    Micros.ofNanos(value(b, figure)),
                    rounded(ratio),
                    difference.map(Micros::ofNanos),
                    rounded(joint),
                    Simultaneous.difference(difference, stretch).map(Micros::ofNanos),
                    verdict(joint)));
        }
        return new Assessment.Cell(
                pair.a().name(),
                pair.b().name(),
                payloadBytes,
                pair.dimensions(),
                measure,
                a.count(),
                b.count(),
                rows,
                Units.rounded(found.superiority(), 4),
                ComparisonSentences.of(rows, margin));
    }

    /** A figure of one cell, in nanoseconds. */
    static double value(Replicates cell, Statistic figure) {
        long[] ascending = cell.ascending();
        return figure.isQuantile()
                ? Quantiles.of(ascending, figure.q())
                : figure.equals(Statistic.MEAN) ? Moments.mean(ascending) : ascending[ascending.length - 1];
    }

    /** The ratio of a figure of {@code above} to that of {@code below}; the maximum's has no interval. */
    static Estimate ratio(Replicates above, Replicates below, boolean paired, Statistic figure) {
        if (figure.isQuantile()) {
            return Comparison.ratioOfQuantiles(above, below, paired, figure.q());
        }
        return figure.equals(Statistic.MEAN)
                ? Comparison.of(above, below, paired).ratioOfMeans()
                : new Estimate(value(above, figure) / value(below, figure), null, null);
    }

    private static Estimate ratio(Comparison found, Replicates b, Replicates a, boolean pairs, Statistic figure) {
        if (figure.equals(Statistic.MEAN)) {
            return found.ratioOfMeans();
        }
        return figure.equals(Statistic.P50) ? found.ratioOfMedians() : ratio(b, a, pairs, figure);
    }

    private static Estimate difference(Comparison found, Statistic figure) {
        if (figure.equals(Statistic.MEAN)) {
            return found.differenceOfMeans();
        }
        if (figure.equals(Statistic.P50)) {
            return found.differenceOfMedians();
        }
        return found.shift().stream()
                .filter(shift -> shift.q() == figure.q())
                .findFirst()
                .orElseThrow()
                .difference();
    }

    private Assessment.Verdict verdict(Estimate joint) {
        if (joint.isAbove(margin)) {
            return Assessment.Verdict.LONGER;
        }
        if (joint.isBelow(1 / margin)) {
            return Assessment.Verdict.SHORTER;
        }
        return joint.low() == null || joint.high() == null
                ? Assessment.Verdict.TOO_FEW_SAMPLES
                : Assessment.Verdict.NO_DIFFERENCE;
    }

    static Estimate rounded(Estimate ratio) {
        return ratio.map(value -> Units.rounded(value, 4));
    }
}
