package io.plog.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SoakResultTest {
    private static final long MIB = 1 << 20;

    private static SoakResult.Interval interval(
            double perSecond, double p99, long heapMib, long residentMib, long full) {
        return new SoakResult.Interval(perSecond, 100, p99, 500, 900, 80, heapMib * MIB, residentMib * MIB, full);
    }

    private static SoakResult judged(SoakResult.Interval... intervals) {
        return SoakResult.of(1000, List.of(intervals));
    }

    private static final SoakResult.Interval STEADY = interval(1000, 200, 20, 200, 0);

    @Test
    void aSteadyStateHolds() {
        SoakResult result = judged(STEADY, STEADY, STEADY, STEADY, STEADY);
        assertThat(result.holds()).isTrue();
        assertThat(result.verdict()).hasSize(5).allMatch(line -> line.startsWith("holds: "));
    }

    @Test
    void theFirstIntervalMaySettle() {
        assertThat(judged(interval(1000, 9000, 5, 100, 0), STEADY, STEADY, STEADY, STEADY)
                        .holds())
                .isTrue();
    }

    @Test
    void aFullCollectionFails() {
        fails("full collections: 1", STEADY, STEADY, interval(1000, 200, 20, 200, 1), STEADY, STEADY);
    }

    @Test
    void memoryThatGrowsFails() {
        fails("resident memory from 200 to 240 MiB", STEADY, STEADY, STEADY, STEADY, interval(1000, 200, 20, 240, 0));
        fails("heap after a collection from 20 to 40 MiB", STEADY, STEADY, STEADY, interval(1000, 200, 40, 200, 0));
    }

    @Test
    void aDriftOfTheTailFails() {
        SoakResult.Interval slower = interval(1000, 260, 20, 200, 0);
        fails("median p99 of the first half 200 us, of the second 260 us", STEADY, STEADY, STEADY, slower, slower);
    }

    @Test
    void fallingBehindFails() {
        SoakResult.Interval behind = interval(980, 200, 20, 200, 0);
        fails("980 appends/s of 1000 offered", behind, behind, behind, behind);
    }

    @Test
    void tooFewIntervalsProveNothing() {
        fails("too few", STEADY, STEADY);
    }

    private static void fails(String sentence, SoakResult.Interval... intervals) {
        SoakResult result = judged(intervals);
        assertThat(result.holds()).isFalse();
        assertThat(result.verdict())
                .filteredOn(line -> line.startsWith("FAILS: "))
                .singleElement()
                .asString()
                .contains(sentence);
    }
}
