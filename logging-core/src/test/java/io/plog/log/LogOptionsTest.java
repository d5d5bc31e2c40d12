package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogOptionsTest {
    @TempDir
    private Path directory;

    @Test
    void theOrderInWhichOptionsAreGivenDoesNotMatter() throws Exception {
        LogOptions one = LogOptions.in(directory).withSegmentBytes(256 * 1024).withMaxRecordBytes(1024);
        LogOptions two = LogOptions.in(directory).withMaxRecordBytes(1024).withSegmentBytes(256 * 1024);
        assertThat(one).usingRecursiveComparison().isEqualTo(two);
        MessageLog.open(one).close();
    }

    @Test
    void optionsThatWereGivenAwayStayAsTheyWere() {
        List<Path> directories = new ArrayList<>(List.of(directory));
        LogOptions given = LogOptions.in(directories);
        directories.add(Path.of("later"));
        given.withDirectories(List.of(Path.of("elsewhere"))).withSegmentBytes(256 * 1024);
        assertThat(given).usingRecursiveComparison().isEqualTo(LogOptions.in(directory));
    }

    @Test
    void optionsThatDependOnEachOtherAreJudgedWhenTheLogIsOpenedInWordsThatNameBoth() throws Exception {
        LogOptions defaults = LogOptions.in(directory);
        assertRefused(
                defaults.withSegmentBytes(256 * 1024),
                "maxRecordBytes is 1048576 and segmentBytes is 262144: a record takes at most a quarter of a segment."
                        + " Set maxRecordBytes to at most 65536, or segmentBytes to at least 4194304");
        assertRefused(
                defaults.withMaxQueuedBytes(1000),
                "maxQueuedBytes is 1000 and maxRecordBytes is 1048576: the largest record would never fit."
                        + " Set maxQueuedBytes to at least 1048576, or maxRecordBytes to at most 1000");
        assertRefused(
                defaults.withMaxBatchBytes(1000),
                "maxBatchBytes is 1000 and maxRecordBytes is 1048576: the largest record would never fit."
                        + " Set maxBatchBytes to at least 1048576, or maxRecordBytes to at most 1000");
        try (var files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    private static void assertRefused(LogOptions options, String sentence) {
        assertThatThrownBy(() -> MessageLog.open(options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(sentence);
    }

    @Test
    @SuppressWarnings("NullAway")
    void aValueThatIsMissingIsRefusedByItsName() {
        LogOptions defaults = LogOptions.in(directory);
        Map<String, ThrowingCallable> missing = Map.of(
                "directories", () -> defaults.withDirectories(null),
                "storage", () -> defaults.withStorage(null),
                "force", () -> defaults.withForce(null),
                "overflow", () -> defaults.withOverflow(null),
                "idleMark", () -> defaults.withIdleMark(null),
                "spin", () -> defaults.withSpin(null),
                "check", () -> defaults.withCheck(null),
                "listener", () -> defaults.withListener(null));
        missing.forEach((name, call) -> assertThatThrownBy(call)
                .isInstanceOf(NullPointerException.class)
                .hasMessage(name));
    }

    @Test
    void eachValueIsStillJudgedByItselfAtOnce() {
        LogOptions defaults = LogOptions.in(directory);
        assertThatThrownBy(() -> defaults.withMaxRecordBytes(0))
                .hasMessage("maxRecordBytes is 0: expected 1 to 67108864");
        assertThatThrownBy(() -> defaults.withSegmentBytes(1)).hasMessageContaining("segmentBytes is 1");
        assertThatThrownBy(() -> defaults.withMaxBatchBytes(0)).hasMessageContaining("maxBatchBytes is 0");
        assertThatThrownBy(() -> defaults.withMaxQueuedBytes(0)).hasMessageContaining("maxQueuedBytes is 0");
    }
}
