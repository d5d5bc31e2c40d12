package io.plog.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.samples.Samples;
import io.plog.results.model.Results;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However many samples there are, the heap that evaluates them is the same: {@code -Dplog.samples=100000000} shows it at length. */
final class ManySamplesTest {
    private static final long SAMPLES = Long.getLong("plog.samples", 1_000_000);
    private static final CellKey CELL = new CellKey(1, 100);

    /** What a process of its own does; prints how many requests there are, and two of their percentiles in microseconds. */
    public static void main(String[] file) throws IOException {
        Results.Cell cell = Analysis.of(Path.of(file[0])).results().cells().get(0);
        System.out.println(cell.count() + " " + cell.endToEndMicros().p50() + " "
                + cell.endToEndMicros().p99());
    }

    @Test
    void aSmallHeapEvaluatesAllOfThem(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("samples.plog");
        RunInfo info = SyntheticRun.of(1, 1, List.of("fdatasync"), List.of(CELL.payloadBytes()))
                .info();
        try (SampleFileWriter writer = SampleFileWriter.create(file, info)) {
            Samples chunk = new Samples(8192);
            for (long i = 0; i < SAMPLES; i++) {
                chunk.begin();
                chunk.set(Column.BLOCK, i * 10 / SAMPLES);
                chunk.set(Column.SENT, (i ^ 63) * 10_000); // some are answered before others that were sent earlier
                chunk.set(Column.END_TO_END, 1_000 * (1 + i * 7_919 % 1_000)); // 1 to 1000 µs, each equally often
                if (chunk.count() == 8192 || i == SAMPLES - 1) {
                    writer.append(CELL, chunk);
                    chunk.clear();
                }
            }
            writer.end(new RunInfo.End(false, "", SAMPLES * 10_000));
        }
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Xmx" + (SAMPLES > 1_000_000 ? 256 : 64) + "m",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        ManySamplesTest.class.getName(),
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(printed.trim()).isEqualTo(SAMPLES + " 500.0 990.0");
        assertThat(process.waitFor()).isZero();
    }
}
