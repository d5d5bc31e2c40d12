package io.plog.server.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ServerEventsTest {
    @Test
    void recordingEndsWhenNoClientHasAskedForAsLongAsEventsAreKept() {
        try (ServerEvents events = new ServerEvents()) {
            assertThat(events.endIfUnasked(System.nanoTime()))
                    .as("no client asked yet")
                    .isTrue();
            events.since(Long.MAX_VALUE);
            long now = System.nanoTime();
            assertThat(events.endIfUnasked(now + ServerEvents.UNASKED_NANOS / 2))
                    .isFalse();
            assertThat(events.endIfUnasked(now + ServerEvents.UNASKED_NANOS + 1))
                    .isTrue();
            assertThat(events.since(Long.MAX_VALUE)).as("it begins again").contains("\"facts\"");
            assertThat(events.endIfUnasked(System.nanoTime())).isFalse();
        }
    }
}
