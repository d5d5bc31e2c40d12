package io.plog.results.cells;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.measure.samples.TrialRecord.RateAnswer;
import io.plog.measure.samples.TrialRecord.SearchLatency;
import io.plog.measure.samples.TrialRecord.SearchLoad;
import io.plog.results.model.Results.MaxRate;
import io.plog.stats.Estimate;
import java.util.List;
import org.junit.jupiter.api.Test;

public final class MaxRatesTest {
    /** A load of a search that is over with it. */
    public static SearchLoad load(double rate, boolean confirming, RateAnswer answer) {
        return new SearchLoad(
                0,
                0,
                "p99 < 10ms",
                rate,
                confirming,
                answer,
                List.of(new SearchLatency(
                        "fromIntended.p99", "main at 100 B", 10_000, rate, List.of(rate - 1, rate + 1))),
                answer == RateAnswer.KEPT ? "" : "it was so.",
                true);
    }

    private static MaxRate found(SearchLoad... loads) {
        return MaxRates.of(List.of(loads), 16);
    }

    @Test
    void onlyLongLoadsBoundTheRate() {
        MaxRate found = found(
                load(900, false, RateAnswer.KEPT),
                load(1_000, false, RateAnswer.MISSED),
                load(800, true, RateAnswer.KEPT),
                load(850, true, RateAnswer.UNDECIDED),
                load(950, true, RateAnswer.MISSED),
                load(1_100, true, RateAnswer.MISSED));
        assertThat(found.perSecond()).isEqualTo(new Estimate(800, 800.0, 950.0));
        assertThat(found.sentence())
                .isEqualTo("800 requests/s is the largest rate that keeps p99 < 10ms over 16 connections (95 % interval"
                        + " 800 to 950); at 950: it was so.");
        assertThat(found.loads()).extracting(SearchLoad::requestsPerSecond).isSorted();
    }

    /** Such a load met a bad moment, as a later one showed. */
    @Test
    void aRateBelowOneThatWasKeptIsNoBound() {
        MaxRate found = found(load(800, true, RateAnswer.MISSED), load(900, true, RateAnswer.KEPT));
        assertThat(found.perSecond()).isEqualTo(new Estimate(900, 900.0, null));
        assertThat(found.sentence()).isEqualTo("At least 900 requests/s keep p99 < 10ms over 16 connections.");
    }

    @Test
    void aClientThatWasTooLateIsNamedAsTheLimit() {
        MaxRate found = found(load(800, true, RateAnswer.KEPT), load(900, true, RateAnswer.CLIENT));
        assertThat(found.perSecond()).isEqualTo(new Estimate(800, 800.0, null));
        assertThat(found.sentence())
                .startsWith("At least 800 requests/s keep ")
                .endsWith("; at 900: it was so. So the client was the limit, not the server.");
    }

    @Test
    void aConditionThatNoRateKeepsIsSaidSo() {
        MaxRate found = found(load(50, false, RateAnswer.MISSED), load(50, true, RateAnswer.MISSED));
        assertThat(found.perSecond()).isEqualTo(new Estimate(0, 0.0, 50.0));
        assertThat(found.sentence()).isEqualTo("No rate keeps p99 < 10ms over 16 connections; at 50.0: it was so.");
    }

    @Test
    void whatWasNotDecidedAtTheLowestRateIsNotDenied() {
        MaxRate found = found(load(50, true, RateAnswer.UNDECIDED), load(60, true, RateAnswer.MISSED));
        assertThat(found.perSecond()).isEqualTo(new Estimate(0, 0.0, 60.0));
        assertThat(found.sentence()).startsWith("No rate was confirmed to keep p99 < 10ms ");
    }

    @Test
    void aSearchThatWasInterruptedMayKnowNoRate() {
        MaxRate found = found(load(500, false, RateAnswer.KEPT));
        assertThat(found.perSecond()).isNull();
        assertThat(found.sentence()).isEqualTo("No rate was confirmed to keep p99 < 10ms over 16 connections.");
    }
}
