package io.plog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class ExpectedWaitTest {
    private static final long MS = 1_000_000;

    private final ExpectedWait wait = new ExpectedWait(20 * MS);
    private long now = 5;

    /** Groups one after the other, each beginning when the one before is done. */
    private void groups(int count, int records, long groupNanos, int queued) {
        for (int i = 0; i < count; i++) {
            now += groupNanos;
            wait.forced(records, groupNanos, queued, now);
        }
    }

    @Test
    void aRecordWaitsForThoseBeforeItAtTheRateOfTheLog() {
        groups(100, 10, MS, 50);
        assertThat(wait.nanos(100)).isCloseTo(10 * MS, within(MS / 10));
        assertThat(wait.isTooLong(190)).isFalse();
        assertThat(wait.isTooLong(210)).isTrue();
    }

    @Test
    void beforeAnythingWasForcedNothingIsTooLong() {
        assertThat(wait.isTooLong(1_000_000)).isFalse();
    }

    @Test
    void aDiskThatBecomesSlowIsSeenWithinAFewGroups() {
        groups(200, 10, MS, 50);
        groups(4, 10, 100 * MS, 50);
        assertThat(wait.nanos(100)).isGreaterThan(400 * MS);
        groups(400, 10, MS, 50);
        assertThat(wait.nanos(100)).isCloseTo(10 * MS, within(MS));
    }

    @Test
    void timeWithoutRequestsCostsNothing() {
        groups(50, 10, MS, 0);
        now += 3_600_000 * MS;
        groups(1, 10, MS, 0);
        assertThat(wait.nanos(100)).isCloseTo(10 * MS, within(MS / 10));
    }

    @Test
    void groupsThatOverlapCostTheTimeBetweenTheirEnds() {
        groups(10, 10, MS, 50);
        for (int i = 0; i < 1_000; i++) {
            now += MS / 2;
            wait.forced(10, MS, 50, now);
        }
        assertThat(wait.nanos(100)).isCloseTo(5 * MS, within(MS / 10));
    }

    @Test
    void aSlowDiskIsGrantedWhatItsFastestGroupsTake() {
        groups(20, 1, 100 * MS, 10);
        assertThat(wait.isTooLong(3)).isFalse();
        assertThat(wait.isTooLong(5)).isTrue();
    }

    @Test
    void withoutALimitNothingIsTooLong() {
        ExpectedWait unlimited = new ExpectedWait(0);
        unlimited.forced(1, 100 * MS, 10, 100 * MS);
        assertThat(unlimited.isTooLong(1_000_000)).isFalse();
    }
}
