package io.plog.measure.load;

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
    private final List<Mix.Sizes> sizes;
    private final double weights;

    RequestDraw(Mix mix, double loggedShare, long seed) {
        this.random = new SplittableRandom(seed);
        this.loggedShare = loggedShare;
        sizes = mix.sizes();
        weights = sizes.stream().mapToDouble(Mix.Sizes::weight).sum();
    }

    /** Draws the next one: sets its size and kind. */
    void next(LoadRequest request) {
        double at = random.nextDouble() * weights;
        int i = 0;
        for (; i < sizes.size() - 1 && at >= sizes.get(i).weight(); i++) {
            at -= sizes.get(i).weight();
        }
        int least = sizes.get(i).leastBytes();
        int most = sizes.get(i).mostBytes();
        request.payloadBytes = least == most ? least : (int) random.nextLong(least, (long) most + 1);
        // Drawn in any case, so that sizes do not depend on the share.
        request.readOnly = random.nextDouble() >= loggedShare;
    }
}
