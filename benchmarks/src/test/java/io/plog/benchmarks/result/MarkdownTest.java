package io.plog.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MarkdownTest {
    private final String page = Markdown.table(Example.results());

    @Test
    void theOverviewHasALineForEachCell() {
        assertThat(page)
                .contains("| 1 x 1 KiB | 1,500 | 0.95 fdatasync | 0.80 | 0.97 direct | 0.50 a<b |")
                .contains("| 64 x 100 B | 1,500 |");
    }

    @Test
    void theDetailsHaveALineForEachContestant() {
        assertThat(page).contains("| plog-direct | 1,455 | 0.97 | 773 | 1,546 | 2,320 | 12.5 | 64.0 | 1.00 | 4.00 |");
    }

    @Test
    void aPageHasOneTableOfThroughputAndLatencyWithALineForEachCell() {
        assertThat(Markdown.page(Example.results(), "performance/growing-"))
                .contains("](performance/growing-throughput.svg)")
                .contains("1,455; 773; 1,546")
                .doesNotContain("### 1 x 1 KiB", "0.95 fdatasync");
    }

    @Test
    void whatIsUnknownIsADash() {
        assertThat(page).contains("| fio-direct | 1,500 | 1.00 | 750 | 1,500 | 2,250 | 12.5 | - | 1.00 | 4.00 |");
    }

    @Test
    void aControlIsShownAndNotCompared() {
        assertThat(page).contains("| plog-write (not durable) | 75,000 | - |");
    }

    @Test
    void itSaysWhereItRanAndWhoDidNotTakePart() {
        assertThat(page)
                .contains("`benchmarks/run quick DIR`, 2026-01-02T03:04:05Z, 2 rounds, seed 42.")
                .contains("- did not take part: b: something is missing")
                .contains("- processor time of others meanwhile: median 1.00 %, at most 5.00 %")
                .contains("](throughput.svg)");
    }

    @ParameterizedTest
    @CsvSource({
        "1234567, '1,234,567'",
        "100, 100",
        "99.94, 99.9",
        "9.876, 9.88",
        "0.123, 0.12",
        "0.0123, 0.0123",
        "0, 0.00"
    })
    void numbersHaveThreeDigitsThatCount(double value, String expected) {
        assertThat(Markdown.number(value)).isEqualTo(expected);
    }
}
