package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The space that an opened log has initialised ahead of its end. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ReserveTest {
    @TempDir
    private Path directory;

    private LogOptions options(int grains, int segments) {
        return Logs.options(directory)
                .withSegmentBytes((long) grains * LogOptions.SEGMENT_GRAIN_BYTES)
                .withReserveSegments(segments);
    }

    private static long bytes(LogOptions options) {
        return options.segmentBytes() * options.reserveSegments();
    }

    @Test
    void anOpenedLogHasAllOfItsReserve() throws Exception {
        try (MessageLog log = MessageLog.open(options(2, 3))) {
            assertThat(log.status().reserveBytes()).isEqualTo(bytes(options(2, 3)));
        }
    }

    /** A user who chooses larger segments must not get the report that there was no space for the reserve, nor have less of it. */
    @Test
    void segmentsThatWereLeftBySmallerOptionsAreNoReserveOfLargerOnes() throws Exception {
        try (MessageLog log = MessageLog.open(options(1, 4))) {
            log.appendAndWait(Logs.text("record 1"));
        }
        try (MessageLog log = MessageLog.open(options(16, 4))) {
            assertThat(log.status().reserveBytes()).isGreaterThanOrEqualTo(bytes(options(16, 4)));
            for (int i = 2; i <= 50; i++) { // through all of the small ones
                log.appendAndWait(Logs.bytes(Logs.SEGMENT_BYTES / 8, i));
            }
        }
        try (MessageLog log = MessageLog.open(options(1, 4))) {
            assertThat(log.status().reserveBytes()).isGreaterThanOrEqualTo(bytes(options(1, 4)));
            assertThat(log.durableIndex()).isEqualTo(50);
        }
        assertThat(LogTools.inspect(directory).records()).isEqualTo(50);
    }
}
