package io.plog.measure.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plog.measure.samples.TrialRecord.RateAnswer;
import java.math.BigDecimal;
import java.util.function.DoubleFunction;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against servers whose capacity is known. */
final class RateSearchTest {
    private int shortLoads;
    private int longLoads;

    /** Of a server that carries 1000 requests a second in a closed loop. */
    private double found(double earlier, DoublePredicate shortLoad, DoublePredicate longLoad) {
        RateSearch search = RateSearch.ofCapacity(1_000, earlier);
        while (!search.isOver()) {
            boolean confirming = search.isConfirming();
            shortLoads += confirming ? 0 : 1;
            longLoads += confirming ? 1 : 0;
            search.answered(
                    (confirming ? longLoad : shortLoad).test(search.rate()) ? RateAnswer.KEPT : RateAnswer.MISSED);
        }
        return search.found();
    }

    private static double below(double rate) {
        return rate / RateSearch.PRECISION;
    }

    @ParameterizedTest
    @ValueSource(doubles = {300, 500, 719, 721, 850, 899, 901, 950, 1_000, 1_079, 1_081, 1_400})
    void itFindsTheLargestRateThatIsKeptInAFewSteps(double capacity) {
        double found = found(0, rate -> rate <= capacity, rate -> rate <= capacity);
        assertThat(found).isBetween(below(below(capacity)), below(capacity));
        assertThat(shortLoads).isLessThanOrEqualTo(10);
        assertThat(longLoads).as("one that is kept, and one that is not").isEqualTo(2);
    }

    /** A short load may end before the backlog shows. */
    @Test
    void aRateThatALongLoadDoesNotKeepIsNotConfirmed() {
        assertThat(found(0, rate -> rate <= 900, rate -> rate <= 800)).isBetween(below(740), below(800));
        assertThat(longLoads).isEqualTo(3);
    }

    @Test
    void shortLoadsThatMetABadMomentDoNotHoldItDown() {
        int[] bad = {6};
        double found = found(0, rate -> --bad[0] < 0 && rate <= 900, rate -> rate <= 900);
        assertThat(found).isBetween(below(900 / 1.2), below(900));
    }

    @Test
    void whatAServerOfTheDesignKeptBeforeIsOnlyConfirmed() {
        assertThat(found(850, rate -> false, rate -> rate <= 920)).isCloseTo(850, within(0.1));
        assertThat(shortLoads).isZero();
        assertThat(found(850, rate -> false, rate -> rate <= 900)).isCloseTo(below(850), within(0.1));
    }

    @Test
    void aServerThatKeepsNothingHasNoCapacity() {
        assertThat(found(0, rate -> false, rate -> false)).isZero();
        assertThat(found(0, rate -> true, rate -> false)).isZero();
    }

    private double confirmed;
    private double refuted = Double.POSITIVE_INFINITY;
    private double lastLong;

    /** The bounds that long loads gave to a rate over 10 that keeps a condition. */
    private void bound(double closed, DoubleFunction<RateAnswer> load) {
        RateSearch search = RateSearch.ofCondition(closed, 10);
        while (!search.isOver()) {
            RateAnswer answer = load.apply(search.rate());
            assertThat(search.rate()).isGreaterThanOrEqualTo(10);
            assertThat(BigDecimal.valueOf(search.rate()).toPlainString())
                    .as("people repeat it")
                    .matches("\\d+(\\.\\d)?");
            if (search.isConfirming()) {
                longLoads++;
                lastLong = search.rate();
                confirmed = answer == RateAnswer.KEPT ? Math.max(confirmed, search.rate()) : confirmed;
                refuted = answer == RateAnswer.MISSED ? Math.min(refuted, search.rate()) : refuted;
            } else {
                shortLoads++;
            }
            search.answered(answer);
        }
    }

    private static DoubleFunction<RateAnswer> upTo(double most) {
        return rate -> rate <= most ? RateAnswer.KEPT : RateAnswer.MISSED;
    }

    @ParameterizedTest
    @ValueSource(doubles = {11, 40, 119, 400, 899, 901, 945, 1_400, 5_000, 20_000, 99_000})
    void aRateThatKeepsAConditionIsBoundedCloselyHoweverFarItIs(double most) {
        bound(1_000, upTo(most));
        assertThat(confirmed).isBetween(most / RateSearch.NARROW / 1.005, most);
        assertThat(refuted).isBetween(most, most * RateSearch.NARROW * 1.005);
        assertThat(shortLoads).isLessThanOrEqualTo(13);
        assertThat(longLoads).isLessThanOrEqualTo(3);
    }

    /** At a rate near the limit a load's interval holds the limit. */
    @Test
    void whatIsNotDecidedLiesBetweenTheBounds() {
        bound(
                1_000,
                rate -> rate > 950 && rate < 1_050
                        ? RateAnswer.UNDECIDED
                        : upTo(1_000).apply(rate));
        assertThat(confirmed).isBetween(850.0, 950.0);
        assertThat(refuted).isBetween(1_050.0, 1_160.0);
        assertThat(longLoads).isLessThanOrEqualTo(5);
    }

    @Test
    void shortLoadsThatMetABadMomentHoldNoConditionDown() {
        int[] bad = {5};
        bound(1_000, rate -> --bad[0] >= 0 ? RateAnswer.MISSED : upTo(900).apply(rate));
        assertThat(confirmed).isBetween(900 / RateSearch.NARROW / 1.001, 900.0);
        assertThat(refuted).isBetween(900.0, 900 * RateSearch.NARROW * 1.001);
    }

    @Test
    void nothingIsKnownAboveWhatTheClientCouldSend() {
        bound(1_000, rate -> rate <= 3_000 ? RateAnswer.KEPT : RateAnswer.CLIENT);
        assertThat(confirmed).isBetween(3_000 / RateSearch.NARROW / 1.001, 3_000.0);
        assertThat(refuted).isInfinite();
        assertThat(longLoads).isEqualTo(2);
    }

    @Test
    void aConditionThatNoRateKeepsIsGivenUpAtTheLowest() {
        bound(1_000, rate -> RateAnswer.MISSED);
        assertThat(confirmed).isZero();
        assertThat(lastLong).isEqualTo(10);
        assertThat(longLoads).isEqualTo(1);
    }

    @Test
    void whatIsNeverDecidedEnds() {
        bound(1_000, rate -> rate < 100 ? RateAnswer.KEPT : RateAnswer.UNDECIDED);
        assertThat(confirmed).isBetween(90.0, 100.0);
        assertThat(longLoads).isLessThanOrEqualTo(2 * RateSearch.MOST_STEPS);
    }
}
