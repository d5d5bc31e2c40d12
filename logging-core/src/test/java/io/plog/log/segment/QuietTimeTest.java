package io.plog.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QuietTimeTest {
    private static final long MILLI = 1_000_000;
    private static final long OPENED = Long.MAX_VALUE - MILLI; // the clock may pass its highest number

    private final QuietTime quiet = new QuietTime(OPENED);

    @Test
    void anEighthOfWhatTheSegmentLasted() {
        assertThat(quiet.left(OPENED)).isZero();
        long now = OPENED + 16 * MILLI;
        quiet.begin(now);
        assertThat(quiet.left(now)).isEqualTo(2 * MILLI);
        assertThat(quiet.left(now + 3 * MILLI)).isEqualTo(-MILLI);
        quiet.begin(now + 8 * MILLI);
        assertThat(quiet.left(now + 8 * MILLI)).isEqualTo(MILLI);
    }

    @Test
    void atMostTenMilliseconds() {
        long now = OPENED + 60_000 * MILLI;
        quiet.begin(now);
        assertThat(quiet.left(now)).isEqualTo(10 * MILLI);
    }
}
