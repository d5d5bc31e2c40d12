package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A log that begins small takes space as it is filled, whatever its records are. */
@Timeout(60)
class GrowingLogTest {
    private static final long KIB = 1024;

    @TempDir
    private Path directory;

    private long bytesOnDisk() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            long bytes = 0;
            for (Path file : files.toList()) {
                bytes += Files.exists(file) ? Files.size(file) : 0;
            }
            return bytes;
        }
    }

    private List<Long> segmentSizes() throws IOException {
        List<Long> sizes = new ArrayList<>();
        for (LogTools.Segment segment : LogTools.inspect(directory).segments()) {
            sizes.add(segment.fileBytes());
        }
        return sizes;
    }

    @Test
    void aLogWithOneRecordTakesAQuarterOfAMebibyte() throws Exception {
        try (MessageLog log = MessageLog.open(LogOptions.small(directory))) {
            log.appendAndWait(Logs.bytes(100, 1));
            assertThat(bytesOnDisk()).isLessThanOrEqualTo(272 * KIB);
        }
    }

    @Test
    void segmentsGrowWithTheLogUpToTheirSize() throws Exception {
        LogOptions options = LogOptions.small(directory)
                .withSegmentBytes(512 * KIB)
                .withReserveSegments(1)
                .withMaxRecordBytes(64 * 1024);
        long appended = 0;
        try (MessageLog log = MessageLog.open(options)) {
            for (int i = 1; i <= 100; i++) {
                log.appendAndWait(Logs.bytes(50_000, i));
                appended += 50_000;
                assertThat(log.status().sizeBytes() + log.status().reserveBytes())
                        .isLessThanOrEqualTo(3 * appended + 300 * KIB);
            }
        }
        assertThat(segmentSizes()).startsWith(128 * KIB, 128 * KIB).isSorted().contains(512 * KIB);
        try (MessageLog log = MessageLog.open(options);
                LogReader reader = log.read(1)) {
            for (int i = 1; i <= 100; i++) {
                assertThat(reader.next()).isTrue();
                assertThat(reader.payload()).isEqualTo(Logs.bytes(50_000, i));
            }
        }
    }

    @Test
    void aLogTakesNoMoreWhenItIsOpenedAgain() throws Exception {
        for (int round = 0; round < 8; round++) {
            try (MessageLog log = MessageLog.open(LogOptions.small(directory))) {
                for (int i = 1; i <= 10; i++) {
                    log.appendAndWait(Logs.bytes(50_000, i));
                }
            }
            long before = bytesOnDisk();
            MessageLog.open(LogOptions.small(directory)).close();
            assertThat(bytesOnDisk()).as("round %d", round).isEqualTo(before);
        }
    }

    @Test
    void aRecordThatIsLargerThanTheSegmentsGetsALargerOne() throws Exception {
        try (MessageLog log = MessageLog.open(LogOptions.small(directory))) {
            log.appendAndWait(Logs.bytes(10, 1));
            log.appendAndWait(Logs.bytes(1_000_000, 2));
            log.appendAndWait(Logs.bytes(10, 3));
        }
        assertThat(segmentSizes()).startsWith(128 * KIB, 128 * KIB).hasSizeLessThan(6);
        try (MessageLog log = MessageLog.open(LogOptions.small(directory));
                LogReader reader = log.read(2)) {
            assertThat(reader.next()).isTrue();
            assertThat(reader.payload()).isEqualTo(Logs.bytes(1_000_000, 2));
        }
    }

    @Test
    void aLogThatDropsItsBeginningUsesSegmentsAgainThatAreLargeEnough() throws Exception {
        LogOptions options = LogOptions.small(directory)
                .withSegmentBytes(512 * KIB)
                .withReserveSegments(1)
                .withMaxRecordBytes(64 * 1024);
        try (MessageLog log = MessageLog.open(options)) {
            for (int i = 1; i <= 300; i++) {
                long index = log.appendAndWait(Logs.bytes(50_000, i));
                log.truncateBefore(Math.max(1, index - 20));
                assertThat(log.status().sizeBytes()).isLessThanOrEqualTo(3 * 512 * KIB + 21 * 50_000);
            }
        }
    }
}
