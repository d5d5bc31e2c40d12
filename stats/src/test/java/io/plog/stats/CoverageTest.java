package io.plog.stats;

import static org.assertj.core.api.Assertions.assertThat;

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
            Coverage.Line line = Coverage.of(cell, Coverage.DEMO, REPETITIONS, SEED);
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
    void theMeanThatFewSlowRequestsDecideIsHeldAsOftenAsItsIntervalSays() {
        System.out.println("seed " + SEED);
        double share = Coverage.ofMean(Coverage.CELLS.get(0), Coverage.DEMO, MANY_REPETITIONS, SEED);
        assertThat(share).isBetween(0.93, 0.97);
    }
}
