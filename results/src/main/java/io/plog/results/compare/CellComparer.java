package io.plog.results.compare;

import io.plog.stats.Comparison;
import io.plog.stats.Estimate;
import io.plog.stats.Estimates;
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

    private final int intervals;
    private final double margin;

    /**
     * For all cells of a comparison.
     *
     * @param intervals how many ratios it looks at
     * @param singleTrial whether one of two separate runs has a single trial
     */
    CellComparer(boolean paired, int intervals, boolean singleTrial) {
        this.intervals = intervals;
        margin = !paired && singleTrial ? BETWEEN_PROCESSES : 1;
    }

    /** @param found the run's cell by the baseline's */
    Assessment.Cell compare(TargetPair pair, int payloadBytes, Measure measure, Comparison found) {
        Replicates a = found.control();
        Replicates b = found.treated();
        double stretch = Simultaneous.stretch(
                intervals,
                Math.max(1, Math.min(Estimates.of(a).parts(), Estimates.of(b).parts()) - 1));
        List<Assessment.Row> rows = new ArrayList<>();
        for (Statistic figure : Statistic.COMPARED) {
            Estimate ratio = figure.ratio(found);
            Estimate difference =
                    figure.isQuantile() ? found.differenceOfQuantiles(figure.q()) : found.differenceOfMeans();
            Estimate joint = Simultaneous.ratio(ratio, stretch);
            rows.add(new Assessment.Row(
                    figure,
                    Micros.ofNanos(figure.value(a)),
                    Micros.ofNanos(figure.value(b)),
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
