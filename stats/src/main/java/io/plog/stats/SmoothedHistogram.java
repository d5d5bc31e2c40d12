package io.plog.stats;

import java.util.ArrayList;
import java.util.List;

/** A histogram, smoothed, with its peaks and the valleys between them; see {@link Peaks} for what counts as one. */
final class SmoothedHistogram {
    static final double VALLEY = 0.8;
    static final double LEAST_SHARE = 0.01;

    private final double[] density;

    /** How many samples lie before each bin. */
    private final long[] before;

    SmoothedHistogram(long[] bins, double[] kernel) {
        density = smooth(bins, kernel);
        before = new long[bins.length + 1];
        for (int i = 0; i < bins.length; i++) {
            before[i + 1] = before[i] + bins[i];
        }
    }

    /** A peak and where its valleys are, in bins; {@code from} belongs to it and {@code to} does not. */
    record Basin(int from, int top, int to) {
        boolean holds(int bin) {
            return from <= bin && bin < to;
        }
    }

    private static double[] smooth(long[] bins, double[] kernel) {
        double[] smoothed = new double[bins.length];
        int reach = kernel.length / 2;
        for (int i = 0; i < bins.length; i++) {
            if (bins[i] != 0) {
                for (int k = Math.max(0, i - reach); k <= Math.min(bins.length - 1, i + reach); k++) {
                    smoothed[k] += bins[i] * kernel[k - i + reach];
                }
            }
        }
        return smoothed;
    }

    /** Every peak, in ascending order; at least one. */
    List<Basin> basins() {
        List<Basin> basins = maxima();
        while (basins.size() > 1) {
            int valley = shallowest(basins);
            int small = valley < 0 ? smallest(basins) : -1;
            if (valley >= 0) {
                join(basins, valley);
            } else if (small >= 0) {
                merge(basins, small);
            } else {
                break;
            }
        }
        return basins;
    }

    /** Gives a peak to the neighbour that the higher of its valleys leads to; there must be a neighbour. */
    void merge(List<Basin> basins, int index) {
        boolean isFirst = index == 0;
        boolean isLast = index == basins.size() - 1;
        boolean left = isLast || (!isFirst && valley(basins, index - 1) > valley(basins, index));
        join(basins, left ? index - 1 : index);
    }

    /** The share of the samples that lie in a basin. */
    double share(Basin basin) {
        return (double) (before[basin.to] - before[basin.from]) / before[before.length - 1];
    }

    private List<Basin> maxima() {
        List<Basin> basins = new ArrayList<>();
        int from = 0;
        int top = 0;
        boolean rising = true;
        for (int i = 1; i < density.length; i++) {
            if (rising && density[i] >= density[top]) {
                top = i;
            } else if (rising) {
                rising = false;
            } else if (density[i] > density[i - 1]) {
                basins.add(new Basin(from, top, i));
                from = i;
                top = i;
                rising = true;
            }
        }
        basins.add(new Basin(from, top, density.length));
        return basins;
    }

    /** The density in the valley behind a peak. */
    private double valley(List<Basin> basins, int index) {
        return density[basins.get(index).to - 1];
    }

    private void join(List<Basin> basins, int index) {
        Basin a = basins.get(index);
        Basin b = basins.remove(index + 1);
        basins.set(index, new Basin(a.from, density[a.top] > density[b.top] ? a.top : b.top, b.to));
    }

    /** The peak whose valley behind it is the least deep of those that are not deep enough; -1 if all are. */
    private int shallowest(List<Basin> basins) {
        int found = -1;
        double greatest = VALLEY;
        for (int i = 0; i + 1 < basins.size(); i++) {
            double lower = Math.min(density[basins.get(i).top], density[basins.get(i + 1).top]);
            if (valley(basins, i) / lower > greatest) {
                greatest = valley(basins, i) / lower;
                found = i;
            }
        }
        return found;
    }

    /** The smallest peak with too few samples; -1 if all have enough. */
    private int smallest(List<Basin> basins) {
        int found = -1;
        double least = LEAST_SHARE;
        for (int i = 0; i < basins.size(); i++) {
            if (share(basins.get(i)) < least) {
                least = share(basins.get(i));
                found = i;
            }
        }
        return found;
    }
}
