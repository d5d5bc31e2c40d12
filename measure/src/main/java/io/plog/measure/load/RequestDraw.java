package io.plog.measure.load;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Draws what each request is: its size, and whether it is to be logged. Independent of each other and of those before, from
 * the seed.
 *
 * <p>For one thread; allocates nothing.
 */
final class RequestDraw {
    private final SplittableRandom random;
    private final double loggedShare;
    private final double[] upTo;
    private final int[] leastBytes;
    private final int[] mostBytes;
    private int payloadBytes;
    private boolean readOnly;

    RequestDraw(Mix mix, double loggedShare, long seed) {
        this.random = new SplittableRandom(seed);
        this.loggedShare = loggedShare;
        List<SizeClass.Sizes> all = new ArrayList<>();
        List<Double> weights = new ArrayList<>();
        for (SizeClass each : mix.classes()) {
            double inClass =
                    each.sizes().stream().mapToDouble(SizeClass.Sizes::weight).sum();
            for (SizeClass.Sizes sizes : each.sizes()) {
                all.add(sizes);
                weights.add(each.weight() * sizes.weight() / inClass);
            }
        }
        upTo = new double[all.size()];
        leastBytes = all.stream().mapToInt(SizeClass.Sizes::leastBytes).toArray();
        mostBytes = all.stream().mapToInt(SizeClass.Sizes::mostBytes).toArray();
        double sum = 0;
        for (int i = 0; i < upTo.length; i++) {
            sum += weights.get(i);
            upTo[i] = sum;
        }
    }

    /** Draws the next one. */
    void next() {
        double at = random.nextDouble() * upTo[upTo.length - 1];
        int i = 0;
        while (i < upTo.length - 1 && at >= upTo[i]) {
            i++;
        }
        payloadBytes = leastBytes[i] == mostBytes[i]
                ? leastBytes[i]
                : (int) random.nextLong(leastBytes[i], (long) mostBytes[i] + 1);
        // Drawn in any case, so that sizes do not depend on the share.
        readOnly = random.nextDouble() >= loggedShare;
    }

    /** How long its payload is. */
    int payloadBytes() {
        return payloadBytes;
    }

    /** Whether it is not to be logged. */
    boolean readOnly() {
        return readOnly;
    }
}
