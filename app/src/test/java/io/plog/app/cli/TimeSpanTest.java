package io.plog.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimeSpanTest {
    @Test
    void timesAreReadAsPeopleWriteThem() {
        assertThat(TimeSpan.parse("--x", "100ms")).isEqualTo(Duration.ofMillis(100));
        assertThat(TimeSpan.parse("--x", "30s")).isEqualTo(Duration.ofSeconds(30));
        assertThat(TimeSpan.parse("--x", "5m")).isEqualTo(Duration.ofMinutes(5));
        assertThat(TimeSpan.parse("--x", " 5 min ")).isEqualTo(Duration.ofMinutes(5));
        assertThat(TimeSpan.parse("--x", "1h")).isEqualTo(Duration.ofHours(1));
        assertThat(TimeSpan.parse("--x", "999999999h")).isEqualTo(Duration.ofHours(999_999_999));
    }

    @Test
    void whatIsNoTimeIsNamedWithItsOption() {
        for (String text : List.of("", "30", "s", "-1s", "1.5s", "30 sec", "1d", "9999999999s")) {
            assertThatThrownBy(() -> TimeSpan.parse("--x", text))
                    .hasMessage("--x is '" + text + "': expected a time as 100ms, 30s, 5m or 1h");
        }
    }
}
