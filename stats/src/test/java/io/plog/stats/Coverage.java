package io.plog.stats;

import io.plog.stats.KnownCell.Component;
import io.plog.stats.KnownCell.Design;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** How often the intervals hold what is true, on data whose truth is known. */
final class Coverage {
    /** The margin of the verdict on the cost of logging. */
    private static final double MARGIN = 1.10;

    /** One trial of ten blocks, 2,000 requests. */
    static final Design ONE_TRIAL = new Design(1, 10, 200);

    /** As many in the trials of a demo. */
    static final Design DEMO = new Design(5, 10, 40);

    /** Five trials as with {@code --paper}, with fewer requests so that it can be repeated often. */
    static final Design TRIALS = new Design(5, 10, 400);

    /** What happens to fast requests, and a tail of one in a hundred that is ten times as slow and spread widely. */
    private static final List<Component> TAILED =
            List.of(new Component(0.99, 120_000, 0.25), new Component(0.01, 1_000_000, 0.6));

    private static final List<Component> BIMODAL =
            List.of(new Component(0.7, 100_000, 0.10), new Component(0.3, 260_000, 0.12));

    private static final List<Component> PLAIN = List.of(new Component(1, 120_000, 0.3));

    private static final String TAIL_FROM_LOGGING = "a tail from logging alone";

    static final List<KnownCell> CELLS = List.of(
            new KnownCell("log-normal with a tail", TAILED, 0, 1, 1, 0.03, 0.01),
            new KnownCell("bimodal", BIMODAL, 0, 1, 1, 0.03, 0.01),
            new KnownCell("autocorrelated", PLAIN, 0.8, 1, 1, 0.03, 0.01),
            new KnownCell(TAIL_FROM_LOGGING, PLAIN, 0, 1, 1, 0.03, 0.01),
            new KnownCell("changing regimes", PLAIN, 0, 1.3, 300, 0.03, 0.01));

    private Coverage() {}

    /**
     * One line of the table: in which share of the repetitions each interval held the truth, how often the verdict at a true ratio
     * of exactly the margin was "holds", and how often the interval of a cell against itself, measured again, held 1: next to it
     * (paired), and in another run.
     */
    record Line(
            String name,
            Design design,
            double mean,
            double median,
            double p99,
            double ratioOfMeans,
            double ratioOfMedians,
            double differenceAtP99,
            double falseHolds,
            double noDifferenceOfMeans,
            double noDifferenceOfMedians,
            double noDifferenceOfRuns) {

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "| %s | %s | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |",
                    name,
                    design,
                    100 * mean,
                    100 * median,
                    100 * p99,
                    100 * ratioOfMeans,
                    100 * ratioOfMedians,
                    100 * differenceAtP99,
                    100 * falseHolds,
                    100 * noDifferenceOfMeans,
                    100 * noDifferenceOfMedians,
                    100 * noDifferenceOfRuns);
        }
    }

    static final String HEAD = """
            | case | trials x blocks x requests | mean | median | p99 | ratio of means | ratio of medians | difference at p99 \
            | false "holds" | A/A means | A/A medians | A/A two runs |
            |---|---|---|---|---|---|---|---|---|---|---|---|""";

    static Line of(KnownCell cell, Design design, int repetitions, long seed) {
        KnownCell control = design.trials() == 1 ? cell.withoutTrials() : cell;
        KnownCell treated = treated(control);
        SplittableRandom random = new SplittableRandom(seed);
        int[] held = new int[10];
        for (int i = 0; i < repetitions; i++) {
            KnownCell.World world = new KnownCell.World(random.split(), design.trials());
            Replicates off = control.measure(world, design, 0);
            Replicates on = treated.measure(world, design, 1);
            Replicates again = control.measure(world, design, 2);
            Replicates other = control.measure(new KnownCell.World(random.split(), design.trials()), design, 0);
            Estimates found = Estimates.of(off);
            Comparison cost = Comparison.of(on, off, true);
            Comparison same = Comparison.of(again, off, true);
            List<Boolean> results = new ArrayList<>(List.of(
                    holds(found.mean(), control.mean()),
                    holds(found.quantile(0.5), control.quantile(0.5)),
                    holds(found.quantile(0.99), control.quantile(0.99)),
                    holds(cost.ratioOfMeans(), MARGIN),
                    holds(cost.ratioOfQuantiles(0.5), treated.quantile(0.5) / control.quantile(0.5)),
                    holds(cost.differenceOfQuantiles(0.99), treated.quantile(0.99) - control.quantile(0.99)),
                    cost.ratioOfMeans().isBelow(MARGIN),
                    holds(same.ratioOfMeans(), 1),
                    holds(same.ratioOfQuantiles(0.5), 1),
                    holds(Comparison.of(other, off, false).ratioOfMeans(), 1)));
            for (int k = 0; k < held.length; k++) {
                held[k] += results.get(k) ? 1 : 0;
            }
        }
        double n = repetitions;
        return new Line(
                cell.name(),
                design,
                held[0] / n,
                held[1] / n,
                held[2] / n,
                held[3] / n,
                held[4] / n,
                held[5] / n,
                held[6] / n,
                held[7] / n,
                held[8] / n,
                held[9] / n);
    }

    /** The first column of the table alone, of the same samples: far quicker, since nothing is compared. */
    static double ofMean(KnownCell cell, Design design, int repetitions, long seed) {
        KnownCell control = design.trials() == 1 ? cell.withoutTrials() : cell;
        SplittableRandom random = new SplittableRandom(seed);
        int held = 0;
        for (int i = 0; i < repetitions; i++) {
            KnownCell.World world = new KnownCell.World(random.split(), design.trials());
            held += holds(Estimates.of(control.measure(world, design, 0)).mean(), control.mean()) ? 1 : 0;
            random.split();
        }
        return (double) held / repetitions;
    }

    /** As slow again by the margin: every request, or, in the case named so, the tail alone. */
    private static KnownCell treated(KnownCell control) {
        if (!control.name().equals(TAIL_FROM_LOGGING)) {
            return control.times(MARGIN);
        }
        Component body = control.components().get(0);
        double tail = 1_500_000 * Math.exp(0.5 * 0.5 / 2);
        double own = body.median() * Math.exp(body.sd() * body.sd() / 2);
        double weight = (MARGIN - 1) * own / (tail - own);
        return control.withComponents(
                List.of(new Component(1 - weight, body.median(), body.sd()), new Component(weight, 1_500_000, 0.5)));
    }

    private static boolean holds(Estimate estimate, double truth) {
        return isAtMost(estimate.low(), truth) && !isBelow(estimate.high(), truth);
    }

    private static boolean isAtMost(@Nullable Double low, double truth) {
        return low == null || low <= truth;
    }

    private static boolean isBelow(@Nullable Double high, double truth) {
        return high != null && high < truth;
    }
}
