package io.plog.stats.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MicrosTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "8.254 | 8.25 | 8.25 µs",
                "93.06 | 93.1 | 93.1 µs",
                "1204.4 | 1,204 | 1.2 ms",
                "99000 | 99,000 | 99 ms",
                "250000 | 250,000 | 250 ms",
                "1249000 | 1,249,000 | 1.25 s"
            })
    void aDurationHasItsDigitsByItsSizeAndItsPlace(double micros, String text, String withUnit) {
        assertThat(Micros.text(micros)).isEqualTo(text);
        assertThat(Micros.withUnit(micros)).isEqualTo(withUnit);
    }

    @Test
    void nanosecondsAreRoundedToTheNanosecond() {
        assertThat(Micros.ofNanos(12_345L)).isEqualTo(12.345);
        assertThat(Micros.ofNanos(12_345.4)).isEqualTo(12.345);
    }
}
