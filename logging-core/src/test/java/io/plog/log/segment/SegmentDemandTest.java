package io.plog.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SegmentDemandTest {
    private static final long MILLISECOND = 1_000_000;

    /** A segment has so many parts here. */
    private static final int PARTS = 256;

    @Test
    void atRestItRestsAsLongAsItEverDoes() {
        assertThat(new SegmentDemand(0, 3).restNanos(1, 1.0 / PARTS, 0)).isEqualTo(10 * MILLISECOND);
    }

    @Test
    void theMoreIsReadyTheSlowerTheNextIsMade() {
        SegmentDemand demand = new SegmentDemand(0, 0);
        demand.observe(256 * MILLISECOND, 1);
        assertThat(demand.restNanos(0.75, 1.0 / PARTS, 0)).isEqualTo(MILLISECOND); // as fast as they are filled
        assertThat(demand.restNanos(1.5, 1.0 / PARTS, 0)).isEqualTo(4 * MILLISECOND);
        assertThat(demand.restNanos(0.375, 1.0 / PARTS, 0)).isEqualTo(MILLISECOND / 4);
        assertThat(demand.restNanos(0.375, 1.0 / PARTS, 100_000)).isEqualTo(MILLISECOND / 4 - 100_000);
    }

    @Test
    void whatIsNeededAtOnceIsMadeWithoutARest() {
        SegmentDemand demand = new SegmentDemand(0, 0);
        demand.observe(MILLISECOND, 0.5);
        assertThat(demand.restNanos(0, 1.0 / PARTS, 0)).isZero();
        assertThat(demand.restNanos(0.1, 1.0 / PARTS, 100_000)).isZero();
    }

    @Test
    void aLoadThatSetsInCountsAtOnceAndOneThatEndsDoesNot() {
        SegmentDemand demand = new SegmentDemand(0, 0);
        demand.observe(1000 * MILLISECOND, 0);
        demand.observe(1001 * MILLISECOND, 0.01);
        long busy = demand.restNanos(1, 1.0 / PARTS, 0);
        assertThat(busy).isLessThan(MILLISECOND);
        demand.observe(1002 * MILLISECOND, 0.01);
        assertThat(demand.restNanos(1, 1.0 / PARTS, 0)).isBetween(busy + 1, 10 * MILLISECOND - 1);
    }
}
