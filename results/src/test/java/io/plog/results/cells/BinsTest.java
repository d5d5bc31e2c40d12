package io.plog.results.cells;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class BinsTest {
    @Test
    void everyNumberIsInExactlyOneBinAndBinsFollowEachOther() {
        long expected = 0;
        for (long number = 0; number < 5_000; number++) {
            long from = Bins.from(number);
            assertThat(number).isBetween(from, Bins.to(from));
            if (number == from) {
                assertThat(from).isEqualTo(expected);
                expected = Bins.to(from) + 1;
            }
        }
        assertThat(Bins.to(7)).isEqualTo(7);
        assertThat(Bins.from(130)).isEqualTo(128);
        assertThat(Bins.to(128)).isEqualTo(143);
    }
}
