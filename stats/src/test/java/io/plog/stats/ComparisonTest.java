package io.plog.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

final class ComparisonTest {
    private static final double[] STEADY = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    private static final double[] DRIFTING = {1, 1.5, 0.8, 2, 1.1, 0.7, 1.3, 1.8, 0.9, 1.6};

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

    private static Replicates oneTrial(List<long[]> blocks) {
        return Replicates.of(List.of(blocks));
    }

    private static double width(Estimate estimate) {
        return Objects.requireNonNull(estimate.high()) - Objects.requireNonNull(estimate.low());
    }

    @Test
    void theIntervalsHoldWhatIsTrueOfOneTrialOfTenBlocks() {
        Comparison found = Comparison.of(
                oneTrial(blocks(120_000, STEADY, 250, 1)), oneTrial(blocks(100_000, STEADY, 250, 2)), true);
        for (Estimate ratio : List.of(found.ratioOfMeans(), found.ratioOfQuantiles(0.5))) {
            assertThat(ratio.value()).isCloseTo(1.2, within(0.02));
            assertThat(ratio.low()).isBetween(1.17, 1.2);
            assertThat(ratio.high()).isBetween(1.2, 1.23);
        }
        for (Estimate difference : List.of(found.differenceOfMeans(), found.differenceOfQuantiles(0.5))) {
            assertThat(difference.low()).isBetween(17_000.0, 20_100.0);
            assertThat(difference.high()).isBetween(20_000.0, 23_000.0);
        }
    }

    @Test
    void pairingKeepsASlowMinuteOutOfTheComparison() {
        Replicates slow = oneTrial(blocks(120_000, DRIFTING, 250, 1));
        Replicates fast = oneTrial(blocks(100_000, DRIFTING, 250, 2));
        Comparison paired = Comparison.of(slow, fast, true);
        Comparison unpaired = Comparison.of(slow, fast, false);
        assertThat(width(paired.ratioOfMeans())).isLessThan(width(unpaired.ratioOfMeans()) / 4);
        assertThat(width(paired.ratioOfQuantiles(0.5))).isLessThan(width(unpaired.ratioOfQuantiles(0.5)) / 2);
        assertThat(paired.ratioOfMeans().value())
                .isEqualTo(unpaired.ratioOfMeans().value());
    }

    @Test
    void valuesAreExact() {
        Comparison found = Comparison.of(
                oneTrial(List.of(new long[] {10, 20, 60}, new long[] {30})),
                oneTrial(List.of(new long[] {10}, new long[] {5, 6})),
                true);
        assertThat(found.ratioOfMeans().value()).isCloseTo(30.0 / 7, within(1e-12));
        assertThat(found.ratioOfQuantiles(0.5).value()).isCloseTo(20.0 / 6, within(1e-12));
        assertThat(found.differenceOfMeans().value()).isCloseTo(23, within(1e-12));
        assertThat(found.differenceOfQuantiles(0.5).value()).isCloseTo(14, within(1e-12));
        assertThat(found.differenceOfQuantiles(0.9).value()).isEqualTo(50);
        assertThat(found.superiority()).isCloseTo((2.5 + 3 + 3 + 3) / 12, within(1e-12));
    }

    @Test
    void whatTheSamplesDoNotBoundHasNoEnd() {
        Replicates one = Replicates.of(List.of(List.of(new long[] {7})));
        Comparison found = Comparison.of(one, one, true);
        assertThat(found.ratioOfMeans()).isEqualTo(new Estimate(1, null, null));
        assertThat(found.differenceOfQuantiles(0.5)).isEqualTo(new Estimate(0, null, null));
        Replicates thousand = Replicates.of(List.of(
                List.of(new SplittableRandom(1).longs(1000, 1, 1_000_000).toArray())));
        Comparison tail = Comparison.of(thousand, thousand, false);
        assertThat(tail.differenceOfQuantiles(0.95).high()).as("p95").isNotNull();
        assertThat(tail.differenceOfQuantiles(0.999).high()).as("p99.9").isNull();
    }

    @Test
    void trialsMoreAlikeThanChanceHaveNoBoundBeyondTheirSamples() {
        Replicates alike = ofTrials(2, 10, i -> i);
        Comparison found = Comparison.of(alike, ofTrials(2, 10, i -> 100 + i), false);
        Estimate lowest = found.differenceOfQuantiles(0.1);
        assertThat(lowest.value()).isEqualTo(-100);
        assertThat(lowest.low()).isNull();
    }

    @Test
    void everyShapeOfSamplesHasIntervalsAroundItsFigures() {
        for (int trials = 1; trials <= 6; trials++) {
            for (int perTrial = 1; perTrial <= 60; perTrial++) {
                SplittableRandom random = new SplittableRandom(1000L * trials + perTrial);
                Replicates a = ofTrials(trials, perTrial, i -> random.nextInt(1, 50));
                Replicates b = ofTrials(trials, perTrial, i -> i);
                for (boolean paired : new boolean[] {true, false}) {
                    Comparison found = Comparison.of(a, b, paired);
                    for (double q : Comparison.SHIFT_QUANTILES) {
                        assertAround(found.differenceOfQuantiles(q));
                    }
                    assertAround(found.ratioOfQuantiles(0.999));
                }
            }
        }
    }

    private static void assertAround(Estimate estimate) {
        if (estimate.low() != null) {
            assertThat(estimate.low()).isLessThanOrEqualTo(estimate.value());
        }
        if (estimate.high() != null) {
            assertThat(estimate.high()).isGreaterThanOrEqualTo(estimate.value());
        }
    }

    /** Trials of one block, dealt in turn: the first sample to the first trial, the second to the second, and so on. */
    private static Replicates ofTrials(int trials, int perTrial, IntToLongFunction sample) {
        long[][] dealt = new long[trials][perTrial];
        for (int i = 0; i < trials * perTrial; i++) {
            dealt[i % trials][i / trials] = sample.applyAsLong(i);
        }
        return Replicates.of(Arrays.stream(dealt).map(List::of).toList());
    }

    @Test
    void aCellDoesNotDifferFromItself() {
        Replicates cell = oneTrial(blocks(100_000, DRIFTING, 300, 3));
        Comparison found = Comparison.of(cell, cell, true);
        assertThat(found.ratioOfMeans()).isEqualTo(new Estimate(1, 1.0, 1.0));
        assertThat(found.superiority()).isEqualTo(0.5);
        assertThat(Comparison.SHIFT_QUANTILES)
                .allSatisfy(
                        q -> assertThat(found.differenceOfQuantiles(q).value()).isZero());
    }

    @Test
    void partnersMustBeThere() {
        Replicates two = oneTrial(List.of(new long[] {1}, new long[] {2}));
        assertThatThrownBy(() -> Comparison.of(two, Replicates.of(List.of(List.of(new long[] {1}))), true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("equally many trials and blocks");
    }
}
