package io.plog.measure.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.measure.load.LoadSummary;
import io.plog.stats.numbers.Longs;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SteadyLoadTest {
    private static LoadSummary load(@Nullable Double offered, long backlogBefore, long backlogAfter, double lagMean) {
        return load(1_000, offered, backlogBefore, backlogAfter, lagMean);
    }

    private static LoadSummary load(
            double accepted, @Nullable Double offered, long backlogBefore, long backlogAfter, double lagMean) {
        LoadSummary.Times latency = new LoadSummary.Times(1, 2_000, 1_500, 9_000, 20_000);
        LoadSummary.Times lag = new LoadSummary.Times(1, lagMean, lagMean, 30_000, 40_000);
        return new LoadSummary(
                "",
                2,
                offered,
                1_000,
                accepted,
                1,
                1.0,
                2_000,
                2_000,
                Map.of(),
                0,
                true,
                latency,
                lag,
                null,
                null,
                backlogBefore,
                backlogAfter,
                50,
                10,
                0,
                0);
    }

    /** 2000 requests are due, so 20 may be left over, or be left from the warm-up. */
    @ParameterizedTest(name = "{0} before, {1} after, tolerance {2}: {3}")
    @CsvSource({
        "50, 70, 1, ''",
        "50, 71, 1, it left 21 of 2000 requests unanswered",
        "50, 30, 1, ''",
        "50, 29, 1, it answered 21 requests of its warm-up beside the 2000 due",
        "0, 40, 2, ''",
        "90, 0, 2, ''",
        "0, 41, 2, it left 41 of 2000 requests unanswered",
        "0, 5, 0.1, ''" // a handful
    })
    void aLoadAnswersWhatIsDueInItsTimeNoLessAndNoMore(long before, long after, double tolerance, String problem) {
        assertThat(SteadyLoad.problem(load(1_000.0, before, after, 1), tolerance))
                .isEqualTo(problem);
        assertThat(SteadyLoad.problem(load(null, before, after, 1), tolerance)).isEmpty();
    }

    @Test
    void aLoadOfWhichNothingWasAcceptedInItsTimeIsNone() {
        assertThat(SteadyLoad.problem(load(0, null, 0, 5, 1), Longs.of(1_000)))
                .isEqualTo("none of its 2000 requests was accepted in its time");
    }

    @Test
    void aClientThatIsLateByATenthOfTheMeanLatencySentAnotherLoad() {
        assertThat(SteadyLoad.problem(load(1_000.0, 0, 0, 200), 1)).isEmpty();
        assertThat(SteadyLoad.problem(load(1_000.0, 0, 0, 201), 1)).isEqualTo("the client was too late");
        assertThat(SteadyLoad.problem(load(1_000.0, 0, 0, 201), SteadyLoad.ROUGHLY))
                .isEmpty();
    }

    @Test
    void aLatencyThatDriftsIsNotSteady() {
        long[] even = LongStream.range(0, 2_000).map(i -> 1_000 + i % 7).toArray();
        long[] rising =
                LongStream.range(0, 2_000).map(i -> 1_000 + i / 2 + i % 7).toArray();
        assertThat(SteadyLoad.problem(load(1_000.0, 0, 0, 1), Longs.of(even))).isEmpty();
        assertThat(SteadyLoad.problem(load(1_000.0, 0, 0, 1), Longs.of(rising)))
                .startsWith("its latency drifts to x1.");
        long[] slightly =
                LongStream.range(0, 2_000).map(i -> 1_000 + i / 10 + i % 7).toArray();
        assertThat(SteadyLoad.problem(load(1_000.0, 0, 0, 1), Longs.of(slightly)))
                .as("by less than a quarter")
                .isEmpty();
    }
}
