package io.plog.results.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.results.model.Claim.Verdict;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Overhead;
import io.plog.stats.Estimate;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CostSentencesTest {
    /** Without logging a request takes 50 µs. */
    private static Overhead row(int bytes, double micros, @Nullable Double low, @Nullable Double high) {
        return row(bytes, micros, low, high, Verdict.UNDECIDED);
    }

    private static Overhead row(
            int bytes, double micros, @Nullable Double low, @Nullable Double high, Verdict verdict) {
        Results.Ratio ratio = new Results.Ratio(
                1 + micros / 50, low == null ? null : 1 + low / 50, high == null ? null : 1 + high / 50);
        return new Overhead(
                "write",
                bytes,
                Map.of(),
                "off",
                50 + micros,
                50,
                ratio,
                ratio,
                true,
                verdict,
                new Estimate(micros, low, high),
                new Estimate(micros, low, high),
                List.of(),
                "");
    }

    private static String said(Overhead... rows) {
        return CostSentences.of(List.of(rows));
    }

    @Test
    void whatIsSurelyLongerIsSaidToBeSo() {
        assertThat(said(row(100, 20, 15.0, 25.0), row(1_000, 40, 30.0, 50.0)))
                .isEqualTo("a request takes 20.0 to 40.0 µs longer than without logging, 1.40 to 1.80 times as long");
    }

    @Test
    void anIntervalThatHoldsZeroIsNoDifferenceWhicheverItsSign() {
        assertThat(said(row(100, -4, -10.0, 2.0), row(1_000, 4, -1.0, 9.0)))
                .isEqualTo("no difference seen, at most 9.00 µs");
        assertThat(said(row(100, -4, -10.0, null))).isEqualTo("what logging adds is unclear");
    }

    @Test
    void anIntervalThatHoldsZeroAndAWholeRequestShowsNothing() {
        assertThat(said(row(100, 433, -2_500.0, 3_366.0), row(1_000, 4, -1.0, 9.0)))
                .isEqualTo(
                        "no difference seen, at most 9.00 µs at 1 kB; what logging adds is unclear, at most 3,366 µs,"
                                + " more than a request takes without logging at 100 B");
    }

    @Test
    void aNegativeCostIsNeverLonger() {
        assertThat(said(row(100, -12, -15.0, -9.0)))
                .contains("12.0 µs less", "something else differed")
                .doesNotContain("longer", "−", "-");
    }

    @Test
    void sizesThatDifferAreDistinguished() {
        assertThat(said(row(100, -12, -15.0, -9.0), row(1_000, 1, -1.0, 3.0), row(10_000, 20, 15.0, 25.0)))
                .isEqualTo("a request takes 20.0 µs longer than without logging, 1.40 times as long at 10 kB;"
                        + " no difference seen, at most 3.00 µs at 1 kB;"
                        + " a request took 12.0 µs less than without logging at 100 B, which logging cannot do: something"
                        + " else differed");
    }

    @Test
    void aRatioThatIsSurelyAboveOneCountsAsSeen() {
        Overhead skewed = new Overhead(
                "write",
                100,
                Map.of(),
                "off",
                3_036,
                292,
                new Results.Ratio(10.4, 2.4, 44.8),
                new Results.Ratio(8.7, 7.1, 23.7),
                true,
                Verdict.FAILS,
                new Estimate(2_744, -109.3, 5_611.9),
                new Estimate(149.7, 114.2, 475.5),
                List.of(),
                "");
        assertThat(skewed.seen()).isEqualTo(Results.Seen.LONGER);
    }

    @Test
    void aRunSaysFirstWhatTheStableTargetCostsAndWhetherThatIsWithinTheClaim() {
        Results.Target page = new Results.Target(1, "write", "write", false, Map.of());
        Results.Target disk = new Results.Target(2, "main", "fdatasync", true, Map.of());
        Overhead first = row(100, 20, 15.0, 25.0);
        Overhead second = new Overhead(
                "main",
                100,
                Map.of(),
                "off",
                90,
                50,
                new Results.Ratio(1.8, 1.7, 1.9),
                new Results.Ratio(1.8, 1.7, 1.9),
                true,
                Verdict.FAILS,
                new Estimate(40, 35.0, 45.0),
                new Estimate(40, 35.0, 45.0),
                List.of(),
                "");
        assertThat(CostSentences.all(List.of(page, disk), List.of(first, second), List.of()))
                .containsExactly(
                        new Results.Cost(
                                "main",
                                "With main (fdatasync) a request takes 40.0 µs longer than without logging, 1.80 times as long."
                                        + " That is more than 10 % at every size."),
                        new Results.Cost(
                                "write",
                                "With write a request takes 20.0 µs longer than without logging, 1.40 times as long."
                                        + " Whether that is less than 10 %, this run cannot tell."));
        Overhead larger = row(1_000, 40, 35.0, 45.0, Verdict.FAILS);
        assertThat(CostSentences.all(List.of(page), List.of(first, larger), List.of()))
                .singleElement()
                .satisfies(only -> assertThat(only.sentence())
                        .endsWith("That is more than 10 % at 1 kB; not surely more or less at 100 B."));
        assertThat(CostSentences.all(List.of(page), List.of(), List.of()))
                .singleElement()
                .satisfies(only -> assertThat(only.sentence()).contains("No request that counts was logged"));
    }
}
