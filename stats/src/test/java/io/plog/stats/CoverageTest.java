package io.plog.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.stats.KnownCell.Design;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A short version of {@link CoverageCampaignTest}: 100 repetitions tell 95 % from 85 %, not from 94 %. */
final class CoverageTest {
    private static final int REPETITIONS = 100;

    /** By chance alone the counted share differs by up to 1 per cent. */
    private static final int MANY_REPETITIONS = 2000;

    private static final long SEED = Long.getLong("plog.coverage.seed", 1);

    @Test
    void intervalsHoldTheTruthAboutAsOftenAsTheySay() {
        System.out.println("seed " + SEED);
        for (KnownCell cell : Coverage.CELLS) {
            Coverage.Line line = Coverage.of(cell, Coverage.ONE_TRIAL, REPETITIONS, SEED);
            for (double share : new double[] {
                line.mean(),
                line.median(),
                line.p99(),
                line.ratioOfMeans(),
                line.ratioOfMedians(),
                line.differenceAtP99()
            }) {
                assertThat(share).as("%s", line).isBetween(0.88, 0.995);
            }
            assertThat(line.falseHolds()).as("%s", line).isLessThanOrEqualTo(0.07);
            assertThat(line.noDifferenceOfMeans()).as("%s", line).isGreaterThan(0.91);
            assertThat(line.noDifferenceOfMedians()).as("%s", line).isGreaterThan(0.91);
        }
    }

    @Test
    void aThousandRequestsInFiveTrialsBoundTheTailHoweverTheTrialsDiffer() {
        System.out.println("seed " + SEED);
        SplittableRandom random = new SplittableRandom(SEED);
        Design design = new Design(Coverage.DEMO.trials(), 10, 20);
        for (KnownCell each : Coverage.CELLS) {
            KnownCell cell = new KnownCell(
                    each.name(), each.components(), each.likeness(), each.slowFactor(), each.regimeLength(), 0.1, 0.05);
            for (int i = 0; i < REPETITIONS; i++) {
                KnownCell.World world = new KnownCell.World(random.split(), design.trials());
                Replicates off = cell.measure(world, design, 0);
                Comparison cost = Comparison.of(cell.measure(world, design, 1), off, true);
                assertThat(Estimates.of(off).quantile(0.99).high()).isNotNull();
                for (double q : new double[] {0.5, 0.99}) {
                    Estimate ratio = cost.ratioOfQuantiles(q);
                    assertThat(ratio).matches(found -> found.low() != null && found.high() != null);
                }
            }
        }
    }

    @Test
    void theMeanThatFewSlowRequestsDecideIsHeldAsOftenAsItsIntervalSays() {
        System.out.println("seed " + SEED);
        double share = Coverage.ofMean(Coverage.CELLS.get(0), Coverage.ONE_TRIAL, MANY_REPETITIONS, SEED);
        assertThat(share).isBetween(0.93, 0.97);
    }
}
