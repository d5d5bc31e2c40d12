package io.plog.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * Latencies whose true mean and quantiles are known: a mixture of log-normal distributions, with what makes the requests of a
 * run depend on each other. All parameters are of ln x, in nanoseconds.
 *
 * @param name of the case
 * @param components of the mixture; their weights add up to 1
 * @param likeness correlation of the deviations of successive requests (AR(1) on ln x); they start anew with each block
 * @param slowFactor by how much the machine is slower in its slow regime, which is half of the time; 1 if there is none
 * @param regimeLength mean length of a regime, in requests of this cell
 * @param trialSd how much whole trials differ, both cells alike
 * @param cellTrialSd how much trials differ for each cell by itself
 */
record KnownCell(
        String name,
        List<Component> components,
        double likeness,
        double slowFactor,
        double regimeLength,
        double trialSd,
        double cellTrialSd) {

    /** How many cells take turns in a block: between two blocks of one cell, the others have this often its time. */
    private static final int CELLS = 10;

    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

    record Component(double weight, double median, double sd) {}

    /** The trials of one experiment. */
    record Design(int trials, int blocks, int perBlock) {
        @Override
        public String toString() {
            return trials + " x " + blocks + " x " + perBlock;
        }
    }

    KnownCell times(double factor) {
        return withComponents(components.stream()
                .map(c -> new Component(c.weight, c.median * factor, c.sd))
                .toList());
    }

    KnownCell withComponents(List<Component> other) {
        return new KnownCell(name, other, likeness, slowFactor, regimeLength, trialSd, cellTrialSd);
    }

    KnownCell withoutTrials() {
        return new KnownCell(name, components, likeness, slowFactor, regimeLength, 0, 0);
    }

    /** What hits all cells of a run alike: the level of each trial, and the regime at each moment. */
    static final class World {
        private final SplittableRandom random;
        private final double[] levels;
        private final long seed;

        World(SplittableRandom random, int trials) {
            this.random = random;
            levels = new double[trials];
            for (int i = 0; i < trials; i++) {
                levels[i] = random.nextGaussian();
            }
            seed = random.nextLong();
        }

        /** The regimes of a trial, from its beginning on. */
        private Regimes regimes(int trial, double meanLength) {
            return new Regimes(new SplittableRandom(seed + trial), meanLength);
        }
    }

    private static final class Regimes {
        private final SplittableRandom random;
        private final double meanLength;
        private boolean slow;
        private double until;

        Regimes(SplittableRandom random, double meanLength) {
            this.random = random;
            this.meanLength = meanLength;
            slow = random.nextBoolean();
            until = length();
        }

        private double length() {
            return -meanLength * Math.log(1 - random.nextDouble());
        }

        boolean isSlow(double at) {
            while (until <= at) {
                slow = !slow;
                until += length();
            }
            return slow;
        }
    }

    /** Measures the cell once, as the {@code place}-th of its block. */
    Replicates measure(World world, Design design, int place) {
        SplittableRandom random = world.random;
        List<List<long[]>> trials = new ArrayList<>();
        for (int t = 0; t < design.trials; t++) {
            double level = trialSd * world.levels[t] + cellTrialSd * random.nextGaussian();
            Regimes regimes = world.regimes(t, regimeLength);
            List<long[]> blocks = new ArrayList<>();
            for (int b = 0; b < design.blocks; b++) {
                double start = ((double) b * CELLS + place) * design.perBlock;
                blocks.add(block(random, design.perBlock, level, regimes, start));
            }
            trials.add(blocks);
        }
        return Replicates.of(trials);
    }

    private long[] block(SplittableRandom random, int length, double level, Regimes regimes, double start) {
        long[] samples = new long[length];
        double deviation = random.nextGaussian();
        double fresh = Math.sqrt(1 - likeness * likeness);
        for (int i = 0; i < length; i++) {
            if (i > 0) {
                deviation = likeness * deviation + fresh * random.nextGaussian();
            }
            Component component = pick(random);
            double slow = slowFactor != 1 && regimes.isSlow(start + i) ? Math.log(slowFactor) : 0;
            samples[i] = Math.round(component.median * Math.exp(component.sd * deviation + level + slow));
        }
        return samples;
    }

    private Component pick(SplittableRandom random) {
        double u = random.nextDouble();
        for (Component component : components) {
            u -= component.weight;
            if (u < 0) {
                return component;
            }
        }
        return components.get(components.size() - 1);
    }

    double mean() {
        double regimes = (1 + slowFactor) / 2;
        double levels = trialSd * trialSd + cellTrialSd * cellTrialSd;
        return regimes
                * components.stream()
                        .mapToDouble(c -> c.weight * c.median * Math.exp((c.sd * c.sd + levels) / 2))
                        .sum();
    }

    double quantile(double q) {
        double low = 0;
        double high = 1e12;
        for (int i = 0; i < 200; i++) {
            double middle = (low + high) / 2;
            if (share(middle) < q) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private double share(double limit) {
        double levels = trialSd * trialSd + cellTrialSd * cellTrialSd;
        double sum = 0;
        for (double factor : new double[] {1, slowFactor}) {
            for (Component c : components) {
                double z = Math.log(limit / c.median / factor) / Math.sqrt(c.sd * c.sd + levels);
                sum += c.weight / 2 * NORMAL.cumulativeProbability(z);
            }
        }
        return sum;
    }
}
