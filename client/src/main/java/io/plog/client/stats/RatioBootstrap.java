package io.plog.client.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How much slower one series is than another, with a bootstrap interval that respects the order of time.
 *
 * <p>Requests that follow each other are alike, so single requests must not be drawn: that makes intervals too narrow.
 * Blocks of the plan are drawn with replacement first, the same ones for both series (they ran side by side, so a slow
 * minute hits both); then, within each, runs of consecutive requests. Drawing twice errs on the wide side.
 *
 * <p>The medians of the drawn samples are read off a grid of {@value #GRID} steps around the medians, which resolves
 * half a percent of the ranks; the point estimates are exact.
 *
 * <p>Not thread-safe; the seed decides everything.
 */
public final class RatioBootstrap {
    /** How often samples are drawn anew. */
    public static final int REPLICATES = 2000;

    /** Runs of consecutive requests that a series is cut into, over all blocks. */
    private static final int RUNS = 160;

    private static final int GRID = 120;
    private static final double GRID_FROM = 0.2;
    private static final double GRID_TO = 0.8;

    private final boolean paired;
    private final RatioEstimate means;
    private final RatioEstimate medians;

    private RatioBootstrap(boolean paired, RatioEstimate means, RatioEstimate medians) {
        this.paired = paired;
        this.means = means;
        this.medians = medians;
    }

    /** Whether blocks were drawn in pairs. */
    public boolean paired() {
        return paired;
    }

    /** The ratio of the means. */
    public RatioEstimate means() {
        return means;
    }

    /** The ratio of the medians. */
    public RatioEstimate medians() {
        return medians;
    }

    /**
     * Compares two series, each divided into its blocks, within a block in the order of time. If there are equally
     * many blocks, at least two, block i of the one is the partner of block i of the other; otherwise each series
     * counts as a single block and they are drawn independently.
     *
     * @param numerator the series expected to be slower; at least one sample; no empty block
     * @param denominator the series to compare with; at least one sample; no empty block
     * @param seed decides what is drawn
     * @throws IllegalArgumentException if a series or one of its blocks is empty
     */
    public static RatioBootstrap compare(List<long[]> numerator, List<long[]> denominator, long seed) {
        boolean paired = numerator.size() == denominator.size() && numerator.size() > 1;
        Series above = new Series(paired ? numerator : List.of(join(numerator)));
        Series below = new Series(paired ? denominator : List.of(join(denominator)));
        SplittableRandom random = new SplittableRandom(seed);
        double[] means = new double[REPLICATES];
        double[] medians = new double[REPLICATES];
        int[] blocks = new int[above.blocks()];
        for (int i = 0; i < REPLICATES; i++) {
            for (int b = 0; b < blocks.length; b++) {
                blocks[b] = random.nextInt(blocks.length);
            }
            above.draw(blocks, random);
            below.draw(blocks, random);
            means[i] = above.drawnMean() / below.drawnMean();
            medians[i] = above.drawnMedian() / below.drawnMedian();
        }
        return new RatioBootstrap(
                paired,
                estimate(above.mean() / below.mean(), means),
                estimate(above.median() / below.median(), medians));
    }

    private static long[] join(List<long[]> blocks) {
        return blocks.stream().flatMapToLong(Arrays::stream).toArray();
    }

    private static RatioEstimate estimate(double ratio, double[] drawn) {
        Arrays.sort(drawn);
        int low = (int) Quantiles.rank(drawn.length, 0.025) - 1;
        int high = (int) Quantiles.rank(drawn.length, 0.975) - 1;
        // A grid of half a percent may put both ends on one side of an exact median.
        return new RatioEstimate(ratio, Math.min(ratio, drawn[low]), Math.max(ratio, drawn[high]));
    }

    /** One series, cut into runs that know their sum and how many of their samples fall into each step of the grid. */
    private static final class Series {
        private final long[] ascending;
        private final double[] edges = new double[GRID + 1];
        private final List<List<Run>> blocks = new ArrayList<>();
        private final int[] drawn = new int[GRID + 2];
        private double drawnSum;
        private long drawnCount;

        Series(List<long[]> parts) {
            ascending = join(parts);
            Arrays.sort(ascending);
            if (ascending.length == 0 || parts.stream().anyMatch(part -> part.length == 0)) {
                throw new IllegalArgumentException("a series or a block without samples, expected at least 1 in each");
            }
            for (int i = 0; i <= GRID; i++) {
                edges[i] = Quantiles.of(ascending, GRID_FROM + (GRID_TO - GRID_FROM) * i / GRID);
            }
            int length = Math.max(1, ascending.length / RUNS);
            for (long[] part : parts) {
                List<Run> runs = new ArrayList<>();
                int count = Math.max(1, part.length / length);
                for (int i = 0; i < count; i++) {
                    int from = (int) ((long) part.length * i / count);
                    int to = (int) ((long) part.length * (i + 1) / count);
                    runs.add(new Run(Arrays.copyOfRange(part, from, to), edges));
                }
                blocks.add(runs);
            }
        }

        int blocks() {
            return blocks.size();
        }

        double mean() {
            return Moments.mean(ascending);
        }

        double median() {
            return Quantiles.of(ascending, 0.5);
        }

        void draw(int[] chosen, SplittableRandom random) {
            Arrays.fill(drawn, 0);
            drawnSum = 0;
            drawnCount = 0;
            for (int block : chosen) {
                List<Run> runs = blocks.get(block);
                for (int i = 0; i < runs.size(); i++) {
                    Run run = runs.get(random.nextInt(runs.size()));
                    drawnSum += run.sum;
                    drawnCount += run.count;
                    for (int step = 0; step < drawn.length; step++) {
                        drawn[step] += run.steps[step];
                    }
                }
            }
        }

        double drawnMean() {
            return drawnSum / drawnCount;
        }

        double drawnMedian() {
            long half = Quantiles.rank(drawnCount, 0.5);
            long seen = drawn[0];
            if (seen >= half) {
                return edges[0];
            }
            for (int step = 1; step <= GRID; step++) {
                if (seen + drawn[step] >= half) {
                    double share = (double) (half - seen) / drawn[step];
                    return edges[step - 1] + share * (edges[step] - edges[step - 1]);
                }
                seen += drawn[step];
            }
            return edges[GRID];
        }
    }

    private static final class Run {
        private final int[] steps = new int[GRID + 2];
        private final double sum;
        private final int count;

        Run(long[] samples, double[] edges) {
            double total = 0;
            for (long sample : samples) {
                total += sample;
                steps[step(sample, edges)]++;
            }
            sum = total;
            count = samples.length;
        }

        /** 0 for at most the first edge, i for above edge i - 1 and at most edge i, and one more beyond the last. */
        private static int step(long sample, double[] edges) {
            int low = 0;
            int high = edges.length;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (edges[middle] < sample) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }
    }
}
