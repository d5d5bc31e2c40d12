package io.plog.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.app.CommandRun;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.results.compare.TestRun;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class ReportCommandTest {
    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int report(Object... arguments) {
        return CommandRun.plog(
                out,
                err,
                Stream.concat(Stream.of("report"), Stream.of(arguments)).toArray());
    }

    private Path run() throws IOException {
        return TestRun.of(20, 1).write(directory).resolve(SampleFileWriter.FILE_NAME);
    }

    private void refuses(int code, Path input, String... words) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        assertThat(report(input)).isEqualTo(code);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().strip()).hasLineCount(1).contains(words).contains(input.toString());
    }

    @Test
    void rendersADirectoryNextToItsSamples() throws IOException {
        run();
        assertThat(report(directory)).isZero();
        assertThat(out.toString()).contains("100 B    main", "Z1");
        assertThat(directory.resolve("report.html")).isNotEmptyFile();
        assertThat(directory.resolve("results.json")).isNotEmptyFile();
    }

    @Test
    void rendersASampleFileElsewhere() throws IOException {
        Path elsewhere = directory.resolve("new").resolve("place");
        assertThat(report(run(), "--out", elsewhere)).isZero();
        assertThat(elsewhere.resolve("report.html")).isNotEmptyFile();
        assertThat(directory.resolve("report.html")).doesNotExist();
    }

    @Test
    void printsTheJsonAndNothingElse() throws IOException {
        run();
        assertThat(report(directory, "--json")).isZero();
        assertThat(new ObjectMapper().readTree(out.toString()).path("cells")).hasSize(4);
        assertThat(out.toString()).isEqualTo(Files.readString(directory.resolve("results.json")));
    }

    @Test
    void rendersAResultsJsonFromTheSamplesNextToIt() throws IOException {
        run();
        report(directory);
        assertThat(report(directory.resolve("results.json"))).isZero();
    }

    @Test
    void writesEachFigureWithItsDataAndReplacesNoneUnasked() throws IOException {
        run();
        Path figures = directory.resolve("figures");
        assertThat(report(directory, "--figures", figures)).isZero();
        assertThat(figures.resolve("means.csv")).content().startsWith("target,payload bytes,");
        assertThat(err.toString()).contains("figures: " + figures + ", ", " tables as CSV, ", "SVG");

        Files.writeString(figures.resolve("series.csv"), "mine");
        Files.delete(directory.resolve("report.html"));
        err.getBuffer().setLength(0);
        assertThat(report(directory, "--figures", figures)).isEqualTo(1);
        assertThat(err.toString().strip()).hasLineCount(1).contains("--overwrite", figures.toString());
        assertThat(figures.resolve("series.csv")).hasContent("mine");
        assertThat(directory.resolve("report.html")).doesNotExist();

        assertThat(report(directory, "--figures", figures, "--overwrite")).isZero();
        assertThat(figures.resolve("series.csv")).content().startsWith("target,");
    }

    @Test
    void aFileThatIsCutShortIsRenderedAsPartial() throws IOException {
        Path file = run();
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 3));
        assertThat(report(file)).isZero();
        assertThat(out.toString()).startsWith("! partial: the sample file is cut at byte");
        assertThat(err.toString()).as("without a plan it cannot").doesNotContain("--resume");
        Files.createFile(file.resolveSibling("plan.json"));
        assertThat(report(file, "--overwrite")).isZero();
        assertThat(err.toString()).contains("the run is partial; continue it", "--resume " + directory);
    }

    @Test
    void refusesWhatHoldsNoSamples() throws IOException {
        refuses(1, directory.resolve("nothing"), "no such file or directory");
        refuses(1, directory, "samples.plog", "no such file");
        refuses(1, Files.createDirectories(directory.resolve("killed/parts")).getParent(), "--resume " + directory);
        Path notes = Files.writeString(directory.resolve("notes.txt"), "not a sample file, but long enough to look at");
        refuses(1, notes, "not a plog sample file");
        Path cut = run();
        Files.write(cut, Arrays.copyOf(Files.readAllBytes(cut), 40)); // before its description
        refuses(1, cut, "measure again");
    }

    @Test
    void refusesResultsThatAreNewerOrNone() throws IOException {
        run();
        report(directory);
        Path json = directory.resolve("results.json");
        String whole = Files.readString(json);
        Files.writeString(json, "{\"schemaVersion\": 3}");
        refuses(1, json, "was written by a newer plog (schema version 3, this one reads 1); nothing is wrong with it");
        Files.writeString(json, "{\"answer\": 42}");
        refuses(1, json, "no schemaVersion");
        Files.writeString(json, "{");
        refuses(1, json, "is not JSON");
        Files.writeString(json, whole.substring(0, whole.length() / 2));
        refuses(1, json, "is not JSON (line ", "cut short");
        Files.writeString(json, "{\"schemaVersion\": 1, \"mean\": NaN}");
        refuses(1, json, "is not JSON (line 1, column", "Non-standard token 'NaN'); if it was cut short");
        try (RandomAccessFile large = new RandomAccessFile(json.toFile(), "rw")) {
            large.setLength(1L << 30);
        }
        refuses(1, json, "has 1073741824 bytes: expected at most 67108864");
    }

    /** To open it would wait for somebody who writes. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aPipeIsRefusedUnreadWhereverResultsAreNamed() throws Exception {
        Path samples = run();
        Path killed = Files.createDirectory(directory.resolve("killed"));
        for (String name : List.of("pipe", "results.json", "samples.plog")) {
            Path pipe = killed.resolve(name);
            assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                    .isZero();
            refuses(1, pipe, "is no regular file");
            assertThat(report(samples, "--baseline", pipe)).isEqualTo(1);
            assertThat(report("--merge", "--out", directory.resolve("merged"), samples, pipe))
                    .isEqualTo(1);
            assertThat(err.toString().lines())
                    .hasSize(3)
                    .allMatch(line -> line.endsWith(name + ": is no regular file"));
        }
        refuses(1, killed, "is no regular file");
    }

    @Test
    void refusesToWriteOverAnotherRunsResults() throws IOException {
        Path file = run();
        Path elsewhere = directory.resolve("elsewhere");
        assertThat(report(file, "--out", elsewhere)).isZero();
        Files.writeString(elsewhere.resolve("report.html"), "mine");
        assertThat(report(file, "--out", elsewhere)).isEqualTo(1);
        assertThat(err.toString()).contains("holds results already").contains("--overwrite");
        assertThat(elsewhere.resolve("report.html")).hasContent("mine");
        assertThat(report(file, "--out", elsewhere, "--overwrite")).isZero();
        assertThat(elsewhere.resolve("report.html")).isNotEmptyFile();
    }
}
