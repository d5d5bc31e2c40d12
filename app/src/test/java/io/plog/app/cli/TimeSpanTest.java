package io.plog.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimeSpanTest {
    @Test
    void timesAreReadAsPeopleWriteThem() {
        assertThat(TimeSpan.parse("500us")).isEqualTo(Duration.ofNanos(500_000));
        assertThat(TimeSpan.parse("250µs")).as("micro sign").isEqualTo(Duration.ofNanos(250_000));
        assertThat(TimeSpan.parse("250μs")).as("Greek letter").isEqualTo(Duration.ofNanos(250_000));
        assertThat(TimeSpan.parse("100ms")).isEqualTo(Duration.ofMillis(100));
        assertThat(TimeSpan.parse("30s")).isEqualTo(Duration.ofSeconds(30));
        assertThat(TimeSpan.parse("2.5s")).isEqualTo(Duration.ofMillis(2_500));
        assertThat(TimeSpan.parse("5m")).isEqualTo(Duration.ofMinutes(5));
        assertThat(TimeSpan.parse("1h")).isEqualTo(Duration.ofHours(1));
        assertThat(TimeSpan.parse("0")).isEqualTo(Duration.ZERO);
        assertThat(TimeSpan.parse("0.0005us")).isEqualTo(Duration.ZERO);
        assertThat(TimeSpan.parse("8760h")).isEqualTo(Duration.ofDays(365));
    }

    @Test
    void whatIsNoTimeIsReportedWithExamples() {
        for (String text : List.of("", "30", "s", "-1s", ".5s", "1.s", "30 sec", "1d", "9999999999s")) {
            assertThatThrownBy(() -> TimeSpan.parse(text))
                    .hasMessage("'" + text
                            + "' is no time: expected a number and a unit, as 500us, 20ms, 2.5s, 5m or 1h, or 0");
        }
    }

    @Test
    void whatWouldOverflowIsTooLong() {
        assertThatThrownBy(() -> TimeSpan.parse("999999999h"))
                .hasMessage("'999999999h' is too long: expected at most 8760h");
    }
}
