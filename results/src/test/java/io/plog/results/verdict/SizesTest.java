package io.plog.results.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.results.model.Claim.Verdict;
import io.plog.results.verdict.Sizes.Sized;
import io.plog.stats.Estimate;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SizesTest {
    /** The greater median is surely below 100 µs; the interval of the smaller one crosses it. */
    private static final Sizes CROSSING = new Sizes(
            List.of(new Sized(100, new Estimate(90, 80.0, 105.0)), new Sized(1_000, new Estimate(95, 94.0, 96.0))));

    @Test
    void theSizeWhoseIntervalCrossesTheLimitDecides() {
        assertThat(CROSSING.everyAtMost(100))
                .isEqualTo(new Sizes.Decided(Verdict.UNDECIDED, CROSSING.all().get(0)));
    }

    @Test
    void theSizeThatBreaksTheLimitDecides() {
        assertThat(CROSSING.everyAtLeast(92))
                .isEqualTo(new Sizes.Decided(Verdict.UNDECIDED, CROSSING.all().get(0)));
        assertThat(CROSSING.everyAtMost(93))
                .isEqualTo(new Sizes.Decided(Verdict.FAILS, CROSSING.all().get(1)));
    }

    @Test
    void oneSizeThatKeepsTheLimitDecidesAClaimAboutSome() {
        assertThat(CROSSING.someAtMost(100))
                .isEqualTo(new Sizes.Decided(Verdict.HOLDS, CROSSING.all().get(1)));
    }
}
