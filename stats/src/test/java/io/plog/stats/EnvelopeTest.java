package io.plog.stats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class EnvelopeTest {
    @Test
    void noExtremeIsLost() {
        Envelope envelope = Envelope.of(new long[] {5, 1, 9, 2, 2, 2, 7}, 3);
        assertThat(envelope.first()).containsExactly(0, 2, 4);
        assertThat(envelope.min()).containsExactly(1, 2, 2);
        assertThat(envelope.median()).containsExactly(1, 2, 2);
        assertThat(envelope.max()).containsExactly(5, 9, 7);
    }
}
