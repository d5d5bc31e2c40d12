package io.plog.stats;

import io.plog.stats.numbers.Longs;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.statistics.distribution.BetaDistribution;
import org.jspecify.annotations.Nullable;

/**
 * A cell's mean and quantiles with 95 % intervals that hold for requests which depend on each other.
 *
 * <p>The mean: Student's t over the parts of {@link Batches}, reaching further on the side of the skewness. A quantile: how many
 * of n independent samples lie below it is binomial, so two of the sorted samples enclose it (David and Nagaraja, <cite>Order
 * Statistics</cite>, 3rd edition, section 7.1), here for as many independent samples as tell equally much about the share below
 * the quantile (Woodruff 1952; Korn and Graubard 1998). That is few or none where a handful of trials differ much; then the quantiles of
 * the parts themselves bound it.
 *
 * <p>Immutable; safe for any thread.
 */
public final class Estimates {
    private static final double ONE_SIDE = 0.025;
    private static final double NORMAL_REACH = 1.959963984540054;

    /**
     * How many standard errors the interval moves for a skewness of 1. Johnson (1978) says 1/6, which moves its middle; Hall's full
     * correction is 1.45 and overdoes it where the skewness comes from the same few requests. Chosen by measured coverage.
     */
    private static final double SHARE_OF_SKEWNESS = 0.4;

    /**
     * Likewise, on the side on which a sample without its slow requests errs: there the whole of Hall's (1992) correction, (2 z^2 +
     * 1) / 6. Only for the mean of one cell; in a comparison the skewness of the two cells mostly cancels.
     */
    private static final double SKEWNESS_ON_ITS_SIDE = (2 * NORMAL_REACH * NORMAL_REACH + 1) / 6;

    /** Beyond this the correction is larger than the error. */
    private static final double MOST_SKEWNESS = 1;

    /** Parts may seem more alike than independent samples are; believed down to this part of the variance of those. */
    private static final double LEAST_INFLATION = 0.5;

    private static final int MOST_STEPS = 100;
    private static final double RANK_TOLERANCE = 1e-9;

    /** With fewer samples than this beyond the quantile, in each part, a variance below that is not trusted. */
    private static final double LEAST_BEYOND = 1;

    /** So many samples of each part lie beyond a quantile that the part knows. Chosen by measured coverage. */
    private static final double LEAST_BEYOND_IN_PART = 2;

    /** 1 - q is a rounded number. */
    private static final double ROUNDING = 1e-9;

    /** All that plog shows; their order holds for any two of them. */
    static final List<Double> LEVELS = Stream.concat(
                    Percentile.quantiles().stream(), Comparison.SHIFT_QUANTILES.stream())
            .distinct()
            .sorted()
            .toList();

    private final Batches batches;

    /** The quantiles at {@link #LEVELS}, each alone. Made when they are first asked for; every thread makes the same. */
    private volatile @Nullable List<Estimate> steps;

    private Estimates(Batches batches) {
        this.batches = batches;
    }

    /** Of one cell. */
    public static Estimates of(Replicates samples) {
        return new Estimates(Batches.of(samples));
    }

    /** The mean. It has no interval if there is a single sample. */
    public Estimate mean() {
        return mean(batches, Batches.reach(batches.count() - 1));
    }

    /**
     * A quantile, by nearest rank. The intervals rise with the level: neither end of a higher level's lies below that of a lower one,
     * and a level has no upper (lower) end if one below (above) it has none.
     *
     * <p>Each level alone does not see to that. How many independent samples a cell is worth is estimated anew at each level, from few
     * parts, and may come out larger at the 99th percentile than at the 90th: then the lower level would have the wider interval, or
     * none at all. Who is not sure that the 90th percentile lies below a value cannot be sure that the 99th does, so each interval is
     * stretched to what the {@link #LEVELS} on the other side of it reach. That makes none narrower, so none holds the truth less often.
     *
     * @param q above 0 and below 1
     */
    public Estimate quantile(double q) {
        List<Estimate> known = steps;
        if (known == null) {
            known = LEVELS.stream().map(this::alone).toList();
            steps = known;
        }
        int step = LEVELS.indexOf(q);
        Estimate alone = step < 0 ? alone(q) : known.get(step);
        @Nullable Double low = alone.low();
        @Nullable Double high = alone.high();
        for (int i = 0; i < known.size(); i++) {
            if (LEVELS.get(i) < q) {
                high = reaching(high, known.get(i).high(), 1);
            } else {
                low = reaching(low, known.get(i).low(), -1);
            }
        }
        return new Estimate(alone.value(), low, high);
    }

    private Estimate alone(double q) {
        return quantile(batches, q, Batches.reach(batches.count() - 1));
    }

    /** The end that lies further in a direction; absent if one of them is. */
    private static @Nullable Double reaching(@Nullable Double end, @Nullable Double other, int direction) {
        return end == null || other == null ? null : direction * Double.compare(end, other) >= 0 ? end : other;
    }

    /**
     * The share of the samples that are at most {@code limit}: the interval of Clopper and Pearson (1934) for as many independent
     * samples as tell equally much (Korn and Graubard 1998). Always bounded.
     *
     * @param limit in the samples' unit
     */
    public Estimate share(long limit) {
        double share = batches.share(limit);
        if (batches.count() < 2) {
            return new Estimate(share, 0.0, 1.0);
        }
        double telling = telling(batches, share, limit, Batches.reach(batches.count() - 1), 1);
        return exactShare(share, telling);
    }

    /**
     * The interval of Clopper and Pearson for a share.
     *
     * @param count of independent samples; need not be whole
     */
    static Estimate exactShare(double share, double count) {
        double within = share * count;
        double beyond = count - within;
        return new Estimate(
                share,
                within <= 0 ? 0 : BetaDistribution.of(within, beyond + 1).inverseCumulativeProbability(ONE_SIDE),
                beyond <= 0 ? 1 : BetaDistribution.of(within + 1, beyond).inverseCumulativeProbability(1 - ONE_SIDE));
    }

    /**
     * How many independent samples would tell as much about the mean, at most as many as there are.
     */
    public double effectiveCount() {
        long count = batches.samples().count();
        if (batches.count() < 2) {
            return count;
        }
        double sd = Moments.sd(batches.samples().ascending(), batches.mean());
        double ofMean = Batches.variance(batches.deviationsOfMean());
        return ofMean * count <= sd * sd ? count : sd * sd / ofMean;
    }

    /** So many samples, evenly spread over as many parts, give a quantile both ends whatever they are; of a single part none do. */
    public long enough(double q) {
        return (long) Math.ceil(LEAST_BEYOND_IN_PART * batches.count() / Math.min(q, 1 - q) - ROUNDING);
    }

    /** How many parts, taken as independent of each other, the intervals come from: trials, or runs of consecutive requests. */
    public int parts() {
        return batches.count();
    }

    /**
     * Student's interval, whose end on the side of the skewness moves by the whole of Hall's correction and the other by that of
     * {@link #moved}. A cell whose mean is made by its few slow requests misses the truth mostly because it has too few of
     * them: then mean and spread are both too small. Moving both ends alike only exchanges misses on one side for those on the other.
     */
    static Estimate mean(Batches batches, double reach) {
        if (batches.count() < 2) {
            return Estimate.unbounded(batches.mean());
        }
        double variance = Batches.variance(batches.deviationsOfMean());
        double error = Math.sqrt(variance);
        double skewness = skewness(variance, batches.thirdCumulantOfMean());
        double less = error * SHARE_OF_SKEWNESS * skewness;
        double more = error * SKEWNESS_ON_ITS_SIDE * skewness;
        double mean = batches.mean();
        double half = reach * error;
        return new Estimate(
                mean,
                Math.min(mean, mean + Math.min(less, more) - half),
                Math.max(mean, mean + Math.max(less, more) + half));
    }

    /**
     * Student's interval, moved for the skewness that the error still has: a sample with few of the slow requests has both a low
     * mean and a small spread, so that its interval would miss on one side more often than on the other. For many requests the
     * move vanishes.
     */
    static Estimate student(double value, double variance, double thirdCumulant, double reach) {
        double middle = moved(value, variance, thirdCumulant);
        double half = reach * Math.sqrt(variance);
        return new Estimate(value, Math.min(value, middle - half), Math.max(value, middle + half));
    }

    /** The middle of {@link #student}'s interval. */
    static double moved(double value, double variance, double thirdCumulant) {
        return value + Math.sqrt(variance) * SHARE_OF_SKEWNESS * skewness(variance, thirdCumulant);
    }

    private static double skewness(double variance, double thirdCumulant) {
        double skewness = variance == 0 ? 0 : thirdCumulant / (variance * Math.sqrt(variance));
        return Math.max(-MOST_SKEWNESS, Math.min(MOST_SKEWNESS, skewness));
    }

    /** A quantile with the interval that its own level alone gives. */
    static Estimate quantile(Batches batches, double q, double reach) {
        if (!(q > 0 && q < 1)) {
            throw new IllegalArgumentException("quantile " + q + ", expected above 0 and below 1");
        }
        Longs ascending = batches.samples().ascending();
        long value = Quantiles.of(ascending, q);
        if (batches.count() < 2) {
            return Estimate.unbounded((double) value);
        }
        boolean many = ascending.count() * Math.min(q, 1 - q) >= LEAST_BEYOND * batches.count();
        double telling = telling(batches, batches.share(value), value, reach, many ? LEAST_INFLATION : 1);
        // Of n samples, the one at rank r has r / (n + 1) of the distribution below it on average.
        double scale = (ascending.count() + 1.0) / (telling + 1.0);
        long fromBelow = rank(scale, lowRank(telling, q));
        long fromAbove = rank(scale, lowRank(telling, 1 - q));
        return new Estimate(
                value,
                fromBelow == 0 ? endOfParts(batches, q, value, -reach) : (Double) (double) ascending.get(fromBelow - 1),
                fromAbove == 0
                        ? endOfParts(batches, q, value, reach)
                        : (Double) (double) ascending.get(ascending.count() - fromAbove));
    }

    /**
     * The end where the sample itself has none, because so few parts differ so much: Student's, from the logarithms of the parts'
     * quantiles. Absent if a part has too few samples to know its quantile.
     */
    private static @Nullable Double endOfParts(Batches batches, double q, long value, double reach) {
        double[] logs = new double[batches.count()];
        for (int i = 0; i < logs.length; i++) {
            Longs part = batches.part(i);
            if (part.count() * Math.min(q, 1 - q) < LEAST_BEYOND_IN_PART - ROUNDING) {
                return null;
            }
            logs[i] = Math.log((double) Math.max(1, Quantiles.of(part, q))) / logs.length;
        }
        double mean = Arrays.stream(logs).average().orElseThrow();
        double error = Math.sqrt(
                Batches.variance(Arrays.stream(logs).map(log -> log - mean).toArray()));
        return Math.rint((double) value * Math.exp(reach * error)); // as samples are
    }

    /**
     * The sample's rank for a rank among independent ones, 0 if there is none so far out. Both decide: the independent samples are
     * fewer than the sample if its parts differ, but more if they are more alike than chance makes them.
     */
    private static long rank(double scale, double amongIndependent) {
        return amongIndependent < 1 ? 0 : (long) (scale * amongIndependent);
    }

    /** How many independent samples tell as much about the share at most {@code limit}, for a normal quantile's reach. */
    private static double telling(Batches batches, double share, long limit, double reach, double leastInflation) {
        long count = batches.samples().count();
        double independent = share * (1 - share) / count;
        double observed = Batches.variance(batches.deviationsOfShare(limit));
        double inflation = independent == 0 ? 1 : observed / independent;
        double student = reach / NORMAL_REACH;
        return count / Math.max(leastInflation, inflation * student * student);
    }

    /**
     * The largest r with P(fewer than r of n independent samples lie below the q-quantile) at most 2.5 %, where n and r need not be
     * whole: the binomial sum as an incomplete beta function. By false position (Illinois), since it is asked for very often.
     */
    static double lowRank(double count, double q) {
        double low = 0;
        double high = count;
        double atLow = -ONE_SIDE;
        double atHigh = 1 - Math.pow(q, count) - ONE_SIDE;
        if (atHigh <= 0) {
            return count;
        }
        // Begin near the normal approximation: the function is flat further out.
        double guess = count * q - NORMAL_REACH * Math.sqrt(count * q * (1 - q));
        int side = 0;
        for (int i = 0; i < MOST_STEPS && high - low > RANK_TOLERANCE; i++) {
            double next = i < 2 ? guess + (2 * i - 1) : (low * atHigh - high * atLow) / (atHigh - atLow);
            if (!(next > low && next < high)) {
                next = (low + high) / 2;
            }
            double at = 1 - BetaDistribution.of(next, count - next + 1).cumulativeProbability(q) - ONE_SIDE;
            if (at <= 0) {
                low = next;
                atLow = at;
                atHigh = side < 0 ? atHigh / 2 : atHigh;
                side = -1;
            } else {
                high = next;
                atHigh = at;
                atLow = side > 0 ? atLow / 2 : atLow;
                side = 1;
            }
        }
        return low;
    }
}
