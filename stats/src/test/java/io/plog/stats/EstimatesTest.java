package io.plog.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plog.stats.KnownCell.Component;
import io.plog.stats.KnownCell.Design;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class EstimatesTest {
    private static final long SEED = Long.getLong("plog.test.seed", System.nanoTime());
    private static final int SHAPES = 300;

    /** Anything from a block of one request to five trials; with a tail, in regimes, dependent, or none of these. */
    private static Replicates measured(SplittableRandom random) {
        double tail = random.nextBoolean() ? 0 : random.nextDouble() * 0.1;
        List<Component> components = List.of(
                new Component(1 - tail, 100_000, 0.05 + random.nextDouble()),
                new Component(tail, 1_000_000, random.nextDouble()));
        double likeness = random.nextBoolean() ? 0 : random.nextDouble() * 0.95;
        double slow = random.nextBoolean() ? 1 : 1 + random.nextDouble() * 4;
        KnownCell cell = new KnownCell("random", components, likeness, slow, 1 + random.nextInt(500), 0.03, 0.01);
        Design design = new Design(1 + random.nextInt(5), 1 + random.nextInt(12), 1 + random.nextInt(300));
        return cell.measure(new KnownCell.World(random.split(), design.trials()), design, 0);
    }

    /** Pairs of neighbouring levels of which the higher has an end below that of the lower. */
    private static List<String> disorder(DoubleFunction<Estimate> quantile) {
        List<String> found = new ArrayList<>();
        for (int i = 1; i < Estimates.LEVELS.size(); i++) {
            double from = Estimates.LEVELS.get(i - 1);
            double to = Estimates.LEVELS.get(i);
            Estimate lower = quantile.apply(from);
            Estimate higher = quantile.apply(to);
            if (low(lower) > low(higher) || high(lower) > high(higher)) {
                found.add(from + " " + lower + ", " + to + " " + higher);
            }
        }
        return found;
    }

    private static double low(Estimate estimate) {
        return estimate.low() == null ? Double.NEGATIVE_INFINITY : estimate.low();
    }

    private static double high(Estimate estimate) {
        return estimate.high() == null ? Double.POSITIVE_INFINITY : estimate.high();
    }

    @Test
    void theIntervalsOfQuantilesRiseWithTheLevelWhateverTheShape() {
        System.out.println("seed " + SEED);
        SplittableRandom random = new SplittableRandom(SEED);
        int disordered = 0;
        for (int i = 0; i < SHAPES; i++) {
            Replicates samples = measured(random);
            Estimates estimates = Estimates.of(samples);
            assertThat(disorder(estimates::quantile))
                    .as("shape %s of seed %s", i, SEED)
                    .isEmpty();
            Batches batches = Batches.of(samples);
            double reach = Batches.reach(batches.count() - 1);
            disordered += disorder(q -> Estimates.quantile(batches, q, reach)).isEmpty() ? 0 : 1;
        }
        assertThat(disordered)
                .as("shapes whose levels, each alone, are out of order: the test means something")
                .isPositive();
    }

    @Test
    void noIntervalIsNarrowerThanThatOfItsLevelAlone() {
        System.out.println("seed " + SEED);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < SHAPES / 10; i++) {
            Replicates samples = measured(random);
            Batches batches = Batches.of(samples);
            double reach = Batches.reach(batches.count() - 1);
            Estimates estimates = Estimates.of(samples);
            for (double q : Estimates.LEVELS) {
                Estimate alone = Estimates.quantile(batches, q, reach);
                Estimate found = estimates.quantile(q);
                assertThat(found.value()).isEqualTo(alone.value());
                assertThat(low(found)).isLessThanOrEqualTo(low(alone));
                assertThat(high(found)).isGreaterThanOrEqualTo(high(alone));
            }
        }
    }

    @Test
    void aLevelHasNoUpperEndWhereALowerOneHasNone() {
        // Every fifth block is slow throughout, so it is not known where the 90th percentile of other blocks would be,
        // and the
        // last block is too short to know its own; but a hundredth of each other block, the slowest, is alike in all.
        List<long[]> blocks = new ArrayList<>();
        for (int b = 0; b < 10; b++) {
            long[] block = new long[b == 9 ? 15 : 200];
            for (int i = 0; i < block.length; i++) {
                block[i] = i >= 196 ? 5_000 + i : (b % 5 == 0 ? 1_000 + i : 100 + i);
            }
            blocks.add(block);
        }
        Batches batches = Batches.of(Replicates.of(List.of(blocks)));
        double reach = Batches.reach(batches.count() - 1);
        Estimate alone90 = Estimates.quantile(batches, 0.9, reach);
        Estimate alone99 = Estimates.quantile(batches, 0.99, reach);
        assertThat(alone90.high() == null && alone99.high() != null)
                .as("%s, %s", alone90, alone99)
                .isTrue();
        assertThat(Estimates.of(batches.samples()).quantile(0.99).high()).isNull();
    }

    @Test
    void fewTrialsThatDifferStillBoundWhatEachOfThemKnows() {
        // Three trials at levels of their own, 20 % apart: no trial says where the next would lie by its samples alone.
        List<List<long[]>> trials = new ArrayList<>();
        for (long level : new long[] {100, 120, 144}) {
            trials.add(
                    List.of(LongStream.range(0, 200).map(i -> 1_000 * level + i).toArray()));
        }
        Estimates found = Estimates.of(Replicates.of(trials));
        for (double q : new double[] {0.5, 0.9, 0.99}) {
            // Student's 4.303 standard errors of the logarithms, ln 1.2 / sqrt 3, from the middle trial's or the last
            // one's quantile.
            double reach = Math.exp(4.303 * Math.log(1.2) / Math.sqrt(3));
            Estimate quantile = found.quantile(q);
            assertThat(high(quantile) / quantile.value()).as("%s", quantile).isCloseTo(reach, within(0.01));
        }
        assertThat(found.quantile(0.999).high())
                .as("0.2 requests of each trial lie beyond")
                .isNull();
    }
}
