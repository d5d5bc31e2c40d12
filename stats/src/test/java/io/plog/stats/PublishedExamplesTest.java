package io.plog.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plog.stats.numbers.Longs;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Worked examples from the literature. */
final class PublishedExamplesTest {
    /** Student (1908), extra hours of sleep of ten patients with two drugs; moved up, so that none is negative. */
    private static final double[] FIRST = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};

    private static final double[] SECOND = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

    /** Each patient a trial, so that the patients are the parts. */
    private static Replicates patients(double[] hours) {
        return Replicates.of(Arrays.stream(hours)
                .mapToObj(hour -> List.of(new long[] {Math.round((hour + 2) * 10)}))
                .toList());
    }

    private static double halfWidth(Estimate estimate) {
        return (Objects.requireNonNull(estimate.high()) - Objects.requireNonNull(estimate.low())) / 2;
    }

    /** R's {@code t.test(extra ~ group, sleep)}: -2.4598858 to -0.7001142 paired, -3.3654832 to 0.2054832 by Welch. */
    @Test
    void studentsSleepData() {
        Comparison paired = Comparison.of(patients(FIRST), patients(SECOND), true);
        Comparison welch = Comparison.of(patients(FIRST), patients(SECOND), false);
        assertThat(paired.differenceOfMeans().value()).isCloseTo(-15.8, within(1e-9));
        assertThat(halfWidth(paired.differenceOfMeans())).isCloseTo(10 * (2.4598858 - 0.7001142) / 2, within(1e-6));
        assertThat(halfWidth(welch.differenceOfMeans())).isCloseTo(10 * (3.3654832 + 0.2054832) / 2, within(1e-6));
    }

    /** Newcombe (1998), Statistics in Medicine 17, table I, method 5. */
    @ParameterizedTest(name = "{0} of {1}")
    @CsvSource({"81, 263, 0.2527, 0.3676", "15, 148, 0.0578, 0.1617", "0, 20, 0, 0.1684", "1, 29, 0.0009, 0.1776"})
    void clopperAndPearsonsIntervalOfAShare(int within, int count, double low, double high) {
        Estimate share = Estimates.exactShare((double) within / count, count);
        assertThat(share.low()).isCloseTo(low, within(0.00005));
        assertThat(share.high()).isCloseTo(high, within(0.00005));
    }

    /** Conover, Practical Nonparametric Statistics, section 3.2: the median of ten lies between the second and the ninth. */
    @ParameterizedTest(name = "{1} of {0}")
    @CsvSource({
        "10, 0.5, 2, 9",
        "100000, 0.5, 49690, 50311",
        "100000, 0.95, 94864, 95136",
        "100000, 0.99, 98938, 99062",
        "100000, 0.999, 99880, 99920",
        "100000, 0.9999, 99983, 99997",
        "72, 0.95, 64, 72",
        "71, 0.95, 63, 72",
        "368, 0.99, 360, 368",
        "367, 0.99, 359, 368",
        "3, 0.5, 0, 4"
    })
    void ranksThatEncloseAQuantileAreThoseOfTheBinomialDistribution(int count, double q, int low, int high) {
        assertThat((int) Estimates.lowRank(count, q)).isEqualTo(low);
        assertThat(count + 1 - (int) Estimates.lowRank(count, 1 - q)).isEqualTo(high);
    }

    /** R's help page of {@code p.adjust} for "holm". */
    @Test
    void holmsStepDown() {
        assertThat(Holm.adjusted(new double[] {0.01, 0.02, 0.03, 0.04, 0.05}))
                .containsExactly(new double[] {0.05, 0.08, 0.09, 0.09, 0.09}, within(1e-12));
    }

    /** By hand: of these 12 the quartiles are the 3rd and the 9th, 3 and 9; the fences lie at -6, 18 and 27. */
    @Test
    void tukeysFences() {
        assertThat(Fences.of(Longs.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 18, 27, 28))).isEqualTo(new Fences(0, 1, 1));
        assertThat(Fences.of(Longs.of(1, 100, 101, 102, 103, 104, 105, 106))).isEqualTo(new Fences(1, 0, 0));
    }
}
