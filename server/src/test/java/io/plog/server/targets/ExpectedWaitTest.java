package io.plog.server.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class ExpectedWaitTest {
    private static final long MS = 1_000_000;
    private static final int BLOCK = 4_096;
    private static final int MIB = 1 << 20;

    private final ExpectedWait wait = new ExpectedWait(50 * MS, 4_096, 4 * MIB, 2);
    private long now = 5;

    /** Groups of which each was alone in the log. */
    private void alone(int count, long bytes, long groupNanos) {
        for (int i = 0; i < count; i++) {
            now += 10 * groupNanos;
            wait.forced(bytes, groupNanos, 0, now);
        }
    }

    /** Groups one after the other while others wait, each beginning when the one before is done. */
    private void busy(int count, long bytes, long groupNanos) {
        for (int i = 0; i < count; i++) {
            now += groupNanos;
            wait.forced(bytes, groupNanos, 100, now);
        }
    }

    private double millis(int records, long bytes) {
        return wait.nanos(records, bytes, now) / (double) MS;
    }

    private boolean isTooLong(int records, long bytes) {
        return wait.isTooLong(records, bytes, now);
    }

    @Test
    void beforeAnythingWasForcedNothingIsTooLong() {
        assertThat(isTooLong(16_384, 64L * MIB)).isFalse();
    }

    @Test
    void anEmptyLogLetsNoCallerWait() {
        alone(5, BLOCK, 20 * MS);
        assertThat(millis(0, 0)).isZero();
    }

    @Test
    void thoseThatWaitTogetherShareOneForce() {
        alone(5, BLOCK, 6 * MS);
        assertThat(millis(1, 100)).isEqualTo(6);
        assertThat(millis(4_096, 409_600)).isEqualTo(6);
        assertThat(isTooLong(4_096, 409_600)).isFalse();
    }

    @Test
    void fullGroupsWaitForEachOtherAsManyAtOnceAsThereAreLanes() {
        alone(5, BLOCK, 6 * MS);
        assertThat(millis(4_097, 409_700)).as("by records").isEqualTo(9);
        assertThat(millis(16_384, 1_638_400)).isEqualTo(15);
        assertThat(millis(64, 64L * MIB)).as("by bytes").isEqualTo(51);
        assertThat(isTooLong(64, 64L * MIB)).isTrue();
    }

    @Test
    void largeGroupsShowWhatBytesCost() {
        alone(5, BLOCK, MS);
        busy(10, MIB, 52 * MS);
        assertThat(millis(100, MIB)).isCloseTo(52, within(2.0));
        assertThat(millis(200, 2 * MIB)).isCloseTo(103, within(4.0));
        assertThat(isTooLong(100, MIB)).isTrue();
        assertThat(isTooLong(90, 900 * 1024)).isFalse();
    }

    @Test
    void timeSpentOnTheGroupUnderWayIsNotWaitedForAgain() {
        alone(5, BLOCK, MS);
        busy(10, MIB, 52 * MS);
        double before = millis(200, 2 * MIB);
        now += 20 * MS;
        assertThat(millis(200, 2 * MIB)).isCloseTo(before - 20, within(0.01));
        now += 20 * MS;
        assertThat(millis(200, 2 * MIB)).as("a quarter of it all").isCloseTo(before * 3 / 4, within(0.01));
        now += 1_900 * MS;
        assertThat(millis(200, 2 * MIB)).as("a stall").isCloseTo(before, within(0.01));
    }

    @Test
    void aSlowForceOfASmallGroupSaysNothing() {
        alone(20, BLOCK, MS);
        alone(1, BLOCK, 500 * MS);
        assertThat(millis(500, 50_000)).isEqualTo(1);
    }

    @Test
    void aSlowForceOfALargeGroupSaysNothing() {
        alone(20, BLOCK, MS);
        alone(1, 16 * BLOCK, 500 * MS);
        assertThat(millis(500, 50_000)).isEqualTo(1);
        busy(2, 16 * BLOCK, MS);
        busy(1, 16 * BLOCK, 500 * MS);
        busy(3, 16 * BLOCK, MS);
        assertThat(millis(500, 50_000)).isEqualTo(1);
    }

    @Test
    void groupsThatTakeUpToTwoForcesCostNothingByTheirBytes() {
        alone(5, BLOCK, 6 * MS);
        busy(10, 256 * 1024, 6 * MS);
        assertThat(millis(500, 4 * MIB)).isEqualTo(6);
    }

    @Test
    void groupsThatOverlapCostTheTimeBetweenTheirEnds() {
        alone(5, BLOCK, MS);
        for (int i = 0; i < 20; i++) { // two lanes, each of whose groups takes 52 ms
            now += i % 2 == 0 ? 51 * MS : MS;
            wait.forced(MIB, 52 * MS, 100, now);
        }
        assertThat(millis(100, MIB)).isCloseTo(26, within(2.0));
    }

    @Test
    void whatBytesCostIsForgottenAfterTwoSeconds() {
        alone(5, BLOCK, MS);
        busy(10, MIB, 52 * MS);
        wait.forced(BLOCK, MS, 0, now + MS);
        now += 2_100 * MS;
        assertThat(millis(200, 2 * MIB)).isEqualTo(1);
    }

    @Test
    void whatBytesCostIsForgottenWhenAFewLargeGroupsOrSomeMoreSmallOnesTookNoLonger() {
        for (int bytes : new int[] {160 * 1024, BLOCK}) {
            alone(5, BLOCK, 5 * MS);
            busy(20, 160 * 1024, 60 * MS);
            assertThat(isTooLong(1_000, 164_000)).isTrue();
            busy(12, bytes, 5 * MS);
            assertThat(isTooLong(1_000, 164_000)).as("groups of " + bytes).isFalse();
        }
    }

    @Test
    void slowGroupsOfFewBytesSayNothingAboutMany() {
        alone(5, BLOCK, 5 * MS);
        busy(50, 2 * BLOCK, 100 * MS);
        assertThat(isTooLong(1_000, 164_000)).isFalse();
    }

    @Test
    void whatBytesCostIsNotForgottenWhileADeviceHangs() {
        alone(5, BLOCK, MS);
        busy(10, MIB, 52 * MS);
        now += 10_000 * MS;
        assertThat(millis(400, 4 * MIB)).isGreaterThan(100);
        assertThat(isTooLong(400, 4 * MIB)).isTrue();
    }

    @Test
    void aDiskThatBecomesSlowIsSeenWithinSixteenForcesAndOneThatBecomesFastAtOnce() {
        alone(50, BLOCK, MS);
        alone(16, BLOCK, 20 * MS);
        assertThat(millis(500, 50_000)).isEqualTo(20);
        alone(1, BLOCK, MS);
        assertThat(millis(500, 50_000)).isEqualTo(1);
    }

    @Test
    void whereEveryRecordIsLargeTheSmallestGroupsReportWhatAForceTakes() {
        alone(5, BLOCK, MS);
        alone(100, 100 * 1024, 6 * MS);
        assertThat(millis(10, 1_000_000)).isEqualTo(6);
    }

    @Test
    void aSlowDeviceIsGrantedFourForces() {
        alone(5, BLOCK, 100 * MS);
        assertThat(isTooLong(4_096 * 7, 28_672)).isFalse();
        assertThat(isTooLong(4_096 * 8, 32_768)).isTrue();
    }

    @Test
    void withoutALimitNothingIsTooLong() {
        ExpectedWait unlimited = new ExpectedWait(0, 1, 1, 1);
        unlimited.forced(BLOCK, 100 * MS, 10, 100 * MS);
        assertThat(unlimited.isTooLong(1_000_000, 1_000_000, 100 * MS)).isFalse();
    }
}
