package io.plog.stats;

import io.plog.stats.SmoothedHistogram.Basin;
import io.plog.stats.numbers.Longs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The peaks of a distribution that are there for a reason, such as "answered from a cache" and "written to the disk".
 *
 * <p>The rule: the density of ln x is smoothed with a normal kernel of Silverman's width, 0.9 min(sd, IQR / 1.349) n^(-1/5)
 * (1986, section 3.4.2). A local maximum is a peak if the density falls to at most {@value SmoothedHistogram#VALLEY} of it on the way to each
 * higher one, and at least {@value SmoothedHistogram#LEAST_SHARE} of the samples lie between its valleys. It is reported if, in at least
 * {@value #RECURS} of {@value #REDRAWS} bootstrap samples of whole {@link Batches}, there is a peak between those valleys.
 */
public final class Peaks {
    private static final double RECURS = 0.95;
    private static final int REDRAWS = 200;

    /** Always the same draws: the same samples give the same peaks. */
    private static final long SEED = 20_061_130;

    /** Narrowest and widest kernel in ln x, whatever the rule says. */
    private static final double NARROWEST = 0.01;

    private static final double WIDEST = 0.2;

    private static final int STEPS_PER_WIDTH = 4;
    private static final int KERNEL_WIDTHS = 4;
    private static final int MOST_STEPS = 4000;
    private static final double KERNEL_HEIGHT = 1 << 24;

    private final double origin;
    private final double step;
    private final double[] kernel;
    private final long[][] counts;

    private Peaks(double origin, double step, double[] kernel, long[][] counts) {
        this.origin = origin;
        this.step = step;
        this.kernel = kernel;
        this.counts = counts;
    }

    /**
     * A peak.
     *
     * @param value where the density of ln x is highest
     * @param share of the samples between its valleys, 0 to 1
     */
    public record Peak(double value, double share) {}

    /** The peaks in ascending order; at least one. Values below 1 count as 1. */
    public static List<Peak> of(Replicates samples) {
        Batches batches = Batches.of(samples);
        Longs ascending = samples.ascending();
        double width = width(ascending);
        double least = ln(ascending.first());
        double span = ln(ascending.last()) - least + 2 * KERNEL_WIDTHS * width;
        double step = Math.max(width / STEPS_PER_WIDTH, span / MOST_STEPS);
        int steps = (int) Math.ceil(span / step) + 1;
        // The least lies in the middle of a bin: on an edge, the last digit of its logarithm would decide.
        double low = least - KERNEL_WIDTHS * width - step / 2;
        long[][] counts = new long[batches.count()][steps];
        for (int i = 0; i < counts.length; i++) {
            Longs part = batches.part(i);
            for (long at = 0; at < part.count(); at++) {
                counts[i][(int) ((ln(part.get(at)) - low) / step)]++;
            }
        }
        return new Peaks(low, step, kernel(width / step), counts).find();
    }

    private static double ln(long sample) {
        return Math.log((double) Math.max(1, sample));
    }

    private static double width(Longs ascending) {
        double sum = 0;
        double squares = 0;
        for (long i = 0; i < ascending.count(); i++) {
            double ln = ln(ascending.get(i));
            sum += ln;
            squares += ln * ln;
        }
        double n = ascending.count();
        double sd = Math.sqrt(Math.max(0, squares / n - sum / n * (sum / n)));
        double range = ln(Quantiles.of(ascending, 0.75)) - ln(Quantiles.of(ascending, 0.25));
        double spread = Math.min(sd, range / 1.349);
        return Math.min(WIDEST, Math.max(NARROWEST, 0.9 * spread * Math.pow(n, -0.2)));
    }

    /** Of whole numbers, so that equally high bins are equal in whatever order their sums are made, and the later one is the peak. */
    static double[] kernel(double widthInSteps) {
        int reach = (int) Math.ceil(KERNEL_WIDTHS * widthInSteps);
        double[] kernel = new double[2 * reach + 1];
        Arrays.setAll(kernel, i -> Math.rint(KERNEL_HEIGHT * Math.exp(-0.5 * Math.pow((i - reach) / widthInSteps, 2))));
        return kernel;
    }

    private List<Peak> find() {
        long[] all = new long[counts[0].length];
        for (long[] part : counts) {
            add(all, part);
        }
        SmoothedHistogram landscape = new SmoothedHistogram(all, kernel);
        List<Basin> basins = landscape.basins();
        if (basins.size() > 1) {
            List<List<Basin>> redrawn = redrawn(all.length);
            int weakest = weakest(basins, redrawn);
            while (weakest >= 0) {
                landscape.merge(basins, weakest);
                weakest = weakest(basins, redrawn);
            }
        }
        return basins.stream()
                .map(basin -> new Peak(Math.exp(origin + (basin.top() + 0.5) * step), landscape.share(basin)))
                .toList();
    }

    private List<List<Basin>> redrawn(int bins) {
        SplittableRandom random = new SplittableRandom(SEED);
        List<List<Basin>> found = new ArrayList<>();
        for (int redraw = 0; redraw < REDRAWS; redraw++) {
            long[] drawn = new long[bins];
            for (int i = 0; i < counts.length; i++) {
                add(drawn, counts[random.nextInt(counts.length)]);
            }
            found.add(new SmoothedHistogram(drawn, kernel).basins());
        }
        return found;
    }

    /** The peak that recurs least often among those that don't recur often enough; -1 if there is none or only one is left. */
    private static int weakest(List<Basin> basins, List<List<Basin>> redrawn) {
        int weakest = -1;
        double least = RECURS * REDRAWS;
        for (int i = 0; i < basins.size() && basins.size() > 1; i++) {
            Basin basin = basins.get(i);
            long recurred = redrawn.stream()
                    .filter(found -> found.stream().anyMatch(other -> basin.holds(other.top())))
                    .count();
            if (recurred < least) {
                least = recurred;
                weakest = i;
            }
        }
        return weakest;
    }

    private static void add(long[] sum, long[] part) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += part[i];
        }
    }
}
