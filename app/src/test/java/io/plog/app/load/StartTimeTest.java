package io.plog.app.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class StartTimeTest {
    private static final Instant NOW = Instant.parse("2026-11-24T10:00:00.250Z");

    private static Instant parse(String text) {
        return StartTime.parse(text, NOW, ZoneId.of("Europe/Lisbon"));
    }

    @Test
    void aTimeIsOfTodayInThisZoneAndAnInstantIsWhatItSays() {
        assertThat(parse("14:30:00")).isEqualTo("2026-11-24T14:30:00Z");
        assertThat(StartTime.parse("19:30:00.5", NOW, ZoneId.of("Asia/Tokyo"))).isEqualTo("2026-11-24T10:30:00.500Z");
        assertThat(parse("2026-11-24T23:00:00Z")).isEqualTo("2026-11-24T23:00:00Z");
    }

    @Test
    void aTimeThatHasPassedOrIsADayAwayOrIsNoneIsRefused() {
        for (String text : new String[] {"10:00:00", "2026-11-24T10:00:00.250Z", "2026-11-25T10:00:01Z"}) {
            assertThatThrownBy(() -> parse(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("and it is 2026-11-24T10:00:00.250Z by this machine's clock");
        }
        for (String text : new String[] {"soon", "25:00:00", "2026-11-24", "2026-11-24T14:30:00", ""}) {
            assertThatThrownBy(() -> parse(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("--start-at is '" + text + "': expected a time of today, as 14:30:00, or an instant, as"
                            + " 2026-11-24T10:00:00Z");
        }
    }
}
