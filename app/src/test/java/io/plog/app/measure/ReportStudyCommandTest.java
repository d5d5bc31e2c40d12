package io.plog.app.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.app.CommandRun;
import io.plog.page.StudyReport;
import io.plog.report.study.StudyFile;
import io.plog.report.study.StudyResults;
import io.plog.report.study.SyntheticStudy;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportStudyCommandTest {
    private static final long SEED = 3;

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

    private Path study() throws IOException {
        Path study = directory.resolve("study");
        StudyReport.write(SyntheticStudy.of(SEED), study);
        return study;
    }

    @Test
    void rendersAStudyAgainWithItsFigures() throws IOException {
        Path study = study();
        String page = Files.readString(study.resolve("report.html"));
        String json = Files.readString(study.resolve("study.json"));
        Files.delete(study.resolve("report.html"));
        Path figures = directory.resolve("figures");
        assertThat(report(study, "--figures", figures)).isZero();
        assertThat(Files.readString(study.resolve("report.html"))).isEqualTo(page);
        assertThat(Files.readString(study.resolve("study.json"))).isEqualTo(json);
        assertThat(out.toString()).contains("The study is valid", "R1", "! warning, steady");
        assertThat(err.toString()).contains("figures: " + figures + ", ", " tables as CSV, ", "SVG");
        assertThat(figures.resolve("inversion.csv")).exists();
        assertThat(report(study, "--figures", figures)).isOne();
        assertThat(err.toString()).contains("--overwrite");
    }

    @Test
    void writesElsewhereAndDoesNotReplaceAStudy() throws IOException {
        Path file = study().resolve("study.json");
        Path elsewhere = directory.resolve("elsewhere");
        assertThat(report(file, "--out", elsewhere)).isZero();
        assertThat(StudyFile.read(elsewhere.resolve("study.json"))).isEqualTo(StudyFile.read(file));
        assertThat(report(file, "--out", elsewhere)).isOne();
        Files.delete(elsewhere.resolve("report.html"));
        assertThat(report(file, "--out", elsewhere)).isOne();
        assertThat(err.toString()).contains("holds a study already (study.json)");
    }

    @Test
    void studiesOfTwoMachinesAreMergedUnderTheirNames() throws IOException {
        Path study = study();
        Path merged = directory.resolve("merged");
        assertThat(report("--merge", "old=" + study, "new=" + study, "--out", merged))
                .isIn(0, 5);
        assertThat(StudyFile.read(merged).machines())
                .extracting(StudyResults.Machine::label)
                .containsExactly("old", "new");
        assertThat(report("--merge", "old=" + study, "old=" + study, "--out", merged))
                .isEqualTo(2);
        assertThat(err.toString()).contains("two machines called 'old'");
        assertThat(report("--merge", study, "old=" + study)).isEqualTo(2);
    }

    @Test
    void aStudyAndARunAreNotCompared() throws IOException {
        Path study = study();
        Path run = Files.createDirectory(directory.resolve("run"));
        assertThat(report(study, run)).isEqualTo(2);
        assertThat(report(run, study)).isEqualTo(2);
        assertThat(err.toString().lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).contains("is a load study, and only runs can be compared"));
    }

    @Test
    void aDamagedStudyIsRefused() throws IOException {
        Path file = study().resolve("study.json");
        Files.writeString(file, Files.readString(file).substring(0, 4000));
        assertThat(report(file)).isOne();
        assertThat(err.toString().strip()).hasLineCount(1).contains("study.json: is not JSON");
    }
}
