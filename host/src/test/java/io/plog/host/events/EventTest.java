package io.plog.host.events;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventTest {
    @ParameterizedTest(name = "{0} for {1} within {2}, request {3} to {4}: {5}")
    @CsvSource({
        "100, 50, 50,   0, 100,  0", // it begins when the request ends
        "100, 50, 50, 150, 200,  0",
        "100, 50, 50,   0, 101,  1",
        "100, 50, 50, 120, 130, 10", // it lasts longer than the request
        "100, 50, 50,  90, 400, 50", // the request lasts longer
        "100, 50, 50, 149, 400,  1",
        "100, 10, 100, 150, 400, 10", // somewhere within: at most all of it
        "100, 10, 100, 196, 400,  4",
    })
    void theOverlapIsWhatBothLastTogether(long start, long nanos, long within, long from, long to, long overlap) {
        assertThat(new Event("gc", start, nanos, within, "").overlapNanos(from, to))
                .isEqualTo(overlap);
    }
}
