package io.plog.stats.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

public final class UnitsTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0 %", // none
        "1, 100 %", // all, and only all
        "0.991111, 99.1 %",
        "0.995, 99.5 %",
        "0.9995, 99.95 %",
        "0.9996, 99.96 %",
        "0.99999, 99.99 %", // cut, never rounded to all
        "0.999, 99.9 %",
        "0.29, 29.0 %", // a little less than 0.29 as a binary number
        "0.0689, 6.8 %",
        "0.001, 0.1 %",
        "0.00099, 0.09 %",
        "0.00001, < 0.01 %", // not none
    })
    void aShareHasNoMoreDigitsThanMatter(double share, String expected) {
        assertThat(Units.percent(share)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "0.5, 0.50",
        "9.994, 9.99",
        "9.996, 10.0",
        "25.23, 25.2",
        "-25.23, -25.2",
        "-1342.4, '-1,342'",
        "99.96, 100"
    })
    void aNumberHasThreeDigitsOnEitherSideOfZero(double value, String expected) {
        assertThat(Units.threeDigits(value)).isEqualTo(expected);
    }
}
