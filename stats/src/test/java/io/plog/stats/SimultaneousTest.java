package io.plog.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class SimultaneousTest {
    /** Student's quantiles from the usual tables: t(.975, 10) = 2.228, t(.995, 10) = 3.169; t(.975, 4) = 2.776, t(.995, 4) = 4.604. */
    @Test
    void theStretchIsThatOfStudentsTable() {
        assertThat(Simultaneous.stretch(1, 10)).isEqualTo(1);
        assertThat(Simultaneous.stretch(5, 10)).isCloseTo(3.169 / 2.228, within(0.001));
        assertThat(Simultaneous.stretch(5, 4)).isCloseTo(4.604 / 2.776, within(0.001));
        assertThatThrownBy(() -> Simultaneous.stretch(0, 10)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Simultaneous.stretch(1, 0.5)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void bothEndsMoveAndMissingOnesStayMissing() {
        assertThat(Simultaneous.difference(new Estimate(10, 8.0, 13.0), 2)).isEqualTo(new Estimate(10, 6.0, 16.0));
        assertThat(Simultaneous.difference(new Estimate(10, null, 13.0), 2)).isEqualTo(new Estimate(10, null, 16.0));
        Estimate ratio = Simultaneous.ratio(new Estimate(2, 1.0, 4.0), 2);
        assertThat(ratio.low()).isCloseTo(0.5, within(1e-12));
        assertThat(ratio.high()).isCloseTo(8, within(1e-12));
        assertThat(Simultaneous.ratio(new Estimate(2, 1.0, null), 3).high()).isNull();
        assertThat(Simultaneous.ratio(new Estimate(0, 0.0, 0.0), 3)).isEqualTo(new Estimate(0, 0.0, 0.0));
    }

    /** Of two trials each, t has one degree of freedom: a comparison of many cells stretches ten times to its 40th power. */
    @Test
    void anEndThatBoundsNothingIsNoneInEitherOrderOfTheTwo() {
        assertThat(Simultaneous.ratio(new Estimate(2, 1.0, 20.0), 40)).isEqualTo(new Estimate(2, null, null));
        assertThat(Simultaneous.ratio(new Estimate(2, 1.8, 20.0), 10).low())
                .isCloseTo(2 * Math.pow(0.9, 10), within(1e-9));
        assertThat(Simultaneous.ratio(new Estimate(2, 1.8, 20.0), 10).high()).isNull();
        assertThat(Simultaneous.ratio(new Estimate(0.5, 0.05, 1 / 1.8), 10).low())
                .isNull();
    }
}
