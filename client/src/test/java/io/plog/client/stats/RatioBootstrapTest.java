package io.plog.client.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RatioBootstrapTest {
    private static final long SEED = 4711;

    /** Blocks around a median; each block shifted by its own factor, the same for every series made with it. */
    private static List<long[]> blocks(double median, double[] shifts, int perBlock, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<long[]> blocks = new ArrayList<>();
        for (double shift : shifts) {
            long[] block = new long[perBlock];
            Arrays.setAll(block, i -> Math.round(median * shift * Math.exp(0.1 * random.nextGaussian())));
            blocks.add(block);
        }
        return blocks;
    }

    private static final double[] STEADY = {1, 1, 1, 1, 1, 1, 1, 1};
    private static final double[] DRIFTING = {1, 1.5, 0.8, 2, 1.1, 0.7, 1.3, 1.8};

    @Test
    void theIntervalHoldsTheTrueRatio() {
        RatioBootstrap found =
                RatioBootstrap.compare(blocks(120_000, STEADY, 250, 1), blocks(100_000, STEADY, 250, 2), SEED);
        for (RatioEstimate estimate : List.of(found.means(), found.medians())) {
            assertThat(estimate.ratio()).isCloseTo(1.2, within(0.02));
            assertThat(estimate.low()).isBetween(1.17, 1.2);
            assertThat(estimate.high()).isBetween(1.2, 1.23);
        }
    }

    @Test
    void pairingKeepsASlowMinuteOutOfTheRatio() {
        RatioBootstrap paired =
                RatioBootstrap.compare(blocks(120_000, DRIFTING, 250, 1), blocks(100_000, DRIFTING, 250, 2), SEED);
        List<long[]> fewer = blocks(100_000, DRIFTING, 250, 2).subList(0, 7);
        RatioBootstrap unpaired = RatioBootstrap.compare(blocks(120_000, DRIFTING, 250, 1), fewer, SEED);
        assertThat(paired.paired()).isTrue();
        assertThat(unpaired.paired()).isFalse();
        double width = paired.means().high() - paired.means().low();
        assertThat(width).isLessThan((unpaired.means().high() - unpaired.means().low()) / 2);
    }

    @Test
    void pointEstimatesAreExact() {
        RatioBootstrap found = RatioBootstrap.compare(
                List.of(new long[] {10, 20, 60}, new long[] {30}), List.of(new long[] {10}, new long[] {5, 6}), SEED);
        assertThat(found.means().ratio()).isCloseTo(30.0 / 7, within(1e-12));
        assertThat(found.medians().ratio()).isCloseTo(20.0 / 6, within(1e-12));
    }

    @Test
    void theSameSeedGivesTheSameInterval() {
        List<long[]> slow = blocks(120_000, DRIFTING, 100, 1);
        List<long[]> fast = blocks(100_000, DRIFTING, 100, 2);
        RatioEstimate first = RatioBootstrap.compare(slow, fast, 1).means();
        assertThat(RatioBootstrap.compare(slow, fast, 1).means()).isEqualTo(first);
        assertThat(RatioBootstrap.compare(slow, fast, 2).means()).isNotEqualTo(first);
    }

    @Test
    void refusesASeriesWithoutSamples() {
        List<long[]> some = List.of(new long[] {1});
        assertThatThrownBy(() -> RatioBootstrap.compare(List.of(), some, 1)).hasMessageContaining("at least 1");
        assertThatThrownBy(() -> RatioBootstrap.compare(
                        List.of(new long[] {1}, new long[0]), List.of(new long[] {1}, new long[] {1}), 1))
                .hasMessageContaining("at least 1");
    }

    @Test
    void anEnvelopeLosesNoExtreme() {
        Envelope envelope = Envelope.of(new long[] {5, 1, 9, 2, 2, 2, 7}, 3);
        assertThat(envelope.first()).containsExactly(0, 2, 4);
        assertThat(envelope.min()).containsExactly(1, 2, 2);
        assertThat(envelope.median()).containsExactly(1, 2, 2);
        assertThat(envelope.max()).containsExactly(5, 9, 7);
    }
}
