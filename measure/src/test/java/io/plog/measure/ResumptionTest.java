package io.plog.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.measure.plan.Load;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.TrialRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResumptionTest {
    private static final Load PLAN = Load.on("127.0.0.1:7411", "a").seed(1);
    private static final CellKey CELL = new CellKey(1, 100);
    private static final TrialRecord RATE = new TrialRecord.ConfirmedRate(1, 0, 7);

    @TempDir
    private Path directory;

    private static RunInfo info(String target) {
        RunInfo.Target only = new RunInfo.Target(1, target, "fdatasync", Map.of());
        return new RunInfo(
                "0.1.0", Instant.parse("2026-11-29T00:00:00Z"), "plog load", PLAN, Map.of(), Map.of(), List.of(only));
    }

    private static Samples samples(int count) {
        Samples samples = new Samples(count);
        for (int i = 0; i < count; i++) {
            samples.begin();
            samples.set(Column.SENT, i);
        }
        return samples;
    }

    /** Three chunks of ten, and an end. */
    private Path interrupted() throws Exception {
        Path file = directory.resolve("whole");
        try (SampleFileWriter writer = SampleFileWriter.create(file, info("a"))) {
            for (int i = 0; i < 3; i++) {
                writer.append(CELL, samples(10));
            }
            writer.end(new RunInfo.End(true, "interrupted", 1, List.of(RATE)));
        }
        return file;
    }

    @Test
    void aFileThatIsCutAnywhereGoesOnBehindWhatIsWhole() throws Exception {
        byte[] whole = Files.readAllBytes(interrupted());
        Path empty = directory.resolve("empty");
        SampleFileWriter.create(empty, info("a")).close();
        for (int length = (int) Files.size(empty); length <= whole.length; length++) {
            Path cut = directory.resolve("cut");
            Files.write(cut, Arrays.copyOf(whole, length));
            Resumption before = Resumption.of(cut, PLAN);
            assertThat(before.isComplete()).isFalse();
            try (SampleFileWriter writer = before.writer(info("a"), 0)) {
                writer.append(CELL, samples(5));
                writer.end(new RunInfo.End(false, "", 2));
            }
            try (SampleFileReader reader = SampleFileReader.open(cut)) {
                assertThat(reader.samples(CELL).count())
                        .isEqualTo(before.count() + 5)
                        .isIn(5L, 15L, 25L, 35L);
                assertThat(reader.end().partial()).isFalse();
                List<TrialRecord> known = reader.end().trials();
                assertThat(known).filteredOn(RATE::equals).hasSize(length == whole.length ? 1 : 0);
                assertThat(known)
                        .filteredOn(TrialRecord.Interrupted.class::isInstance)
                        .hasSize(before.isOfNothing() ? 0 : 1);
            }
        }
    }

    @Test
    void whatIsAnotherRunIsRefusedAndLeftAsItIs() throws Exception {
        Path file = interrupted();
        byte[] bytes = Files.readAllBytes(file);
        assertThatThrownBy(() -> Resumption.of(file, PLAN.duration(Duration.ofSeconds(3))))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("has samples of another plan")
                .hasMessageContaining("durationNanos");
        assertThatThrownBy(() -> Resumption.of(file, PLAN).writer(info("b"), 0))
                .isInstanceOf(PlanException.class)
                .hasMessageStartingWith("there are now the targets b (fdatasync); the interrupted run measured a");
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
    }
}
