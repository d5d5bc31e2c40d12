package io.plog.measure.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.function.DoublePredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against servers whose capacity is known. */
final class CapacitySearchTest {
    private int shortLoads;
    private int longLoads;

    /** Of a server that carries 1000 requests a second in a closed loop. */
    private double found(double earlier, DoublePredicate shortLoad, DoublePredicate longLoad) {
        CapacitySearch search = new CapacitySearch(1_000, earlier);
        while (!search.isOver()) {
            boolean confirming = search.isConfirming();
            shortLoads += confirming ? 0 : 1;
            longLoads += confirming ? 1 : 0;
            search.answered((confirming ? longLoad : shortLoad).test(search.rate()));
        }
        return search.found();
    }

    private static double below(double rate) {
        return rate / CapacitySearch.PRECISION;
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
}
