package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SegmentDemandTest {
    private static final long MILLISECOND = 1_000_000;

    /** A segment has so many parts here. */
    private static final int PARTS = 256;

    @Test
    void atRestItRestsAsLongAsItEverDoes() {
        assertThat(new SegmentDemand(0, 3).restNanos(1, 0, 1.0 / PARTS, 0)).isEqualTo(10 * MILLISECOND);
    }

    @Test
    void aSegmentIsDoneWhenThreeQuartersOfWhatIsReadyAreFilled() {
        double segmentsPerNano = 1.0 / (400 * MILLISECOND);
        long now = 0;
        double filled = 0;
        SegmentDemand demand = new SegmentDemand(now, filled);
        double readyAtFirst = 1.5;
        for (int part = 1; part < PARTS; part++) {
            long partNanos = 100_000;
            now += partNanos;
            filled = now * segmentsPerNano;
            demand.observe(now, filled);
            now += demand.restNanos(readyAtFirst - filled, (double) part / PARTS, 1.0 / PARTS, partNanos);
        }
        assertThat(now * segmentsPerNano / readyAtFirst).isBetween(0.7, 0.8);
    }

    @Test
    void whatIsNeededAtOnceIsMadeWithoutARest() {
        SegmentDemand demand = new SegmentDemand(0, 0);
        demand.observe(MILLISECOND, 0.5);
        assertThat(demand.restNanos(0, 0.5, 1.0 / PARTS, 0)).isZero();
        assertThat(demand.restNanos(0.1, 0.5, 1.0 / PARTS, 100_000)).isZero();
    }

    @Test
    void aLoadThatSetsInCountsAtOnceAndOneThatEndsDoesNot() {
        SegmentDemand demand = new SegmentDemand(0, 0);
        demand.observe(1000 * MILLISECOND, 0);
        demand.observe(1001 * MILLISECOND, 0.01);
        long busy = demand.restNanos(1, 0.5, 1.0 / PARTS, 0);
        assertThat(busy).isLessThan(MILLISECOND);
        demand.observe(1002 * MILLISECOND, 0.01);
        assertThat(demand.restNanos(1, 0.5, 1.0 / PARTS, 0)).isBetween(busy + 1, 10 * MILLISECOND - 1);
    }
}
