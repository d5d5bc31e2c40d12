package io.plog.app.measure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.app.CommandRun;
import io.plog.results.study.SyntheticStudy;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init")
final class ReportStudyCommandTest {
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

    @TempDir
    private static Path shared;

    private static Path samples;

    @BeforeAll
    static void measure() throws IOException {
        samples = SyntheticStudy.writeSmall(shared);
    }

    private Path study(String name) throws IOException {
        Path study = Files.createDirectory(directory.resolve(name));
        Files.copy(samples, study.resolve("samples.plog"));
        return study;
    }

    @Test
    void aStudyIsRenderedAgainWithItsFigures() throws IOException {
        Path study = study("study");
        assertThat(report(study)).isZero();
        String json = Files.readString(study.resolve("results.json"));
        Path figures = directory.resolve("figures");
        assertThat(report(study, "--figures", figures)).isZero();
        assertThat(Files.readString(study.resolve("results.json"))).isEqualTo(json);
        assertThat(out.toString()).contains("/s capacity mix", "R1");
        assertThat(err.toString()).contains("figures: " + figures + ", ", " tables as CSV, ", "SVG");
        assertThat(figures.resolve("inversion.csv")).exists();
    }

    @Test
    void gatesNameDesignsAndLoads() throws IOException {
        Path study = study("study");
        assertThat(report(
                        study,
                        "--fail-if",
                        "endToEnd.p50@design=inline,load=absolute > 1s",
                        "--fail-if",
                        "refusedShare@design=inline > 0.5"))
                .isZero();
        assertThat(report(study, "--fail-if", "endToEnd.p50@design=inline,load=relative,level=0.95 > 1us"))
                .isEqualTo(4);
        assertThat(report(study, "--fail-if", "endToEnd.p50@design=inlien > 1us"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("did you mean inline?");
    }

    @Test
    void studiesOfTwoMachinesAreMergedUnderTheirNames() throws IOException {
        Path study = study("study");
        Path merged = directory.resolve("merged");
        assertThat(report("--merge", "old=" + study, "new=" + study("other"), "--out", merged))
                .isZero();
        JsonNode results =
                new ObjectMapper().readTree(merged.resolve("results.json").toFile());
        assertThat(results.path("cells").findValuesAsText("machine"))
                .contains("old", "new")
                .hasSize(2 * (2 + 4));
        assertThat(report("--merge", "old=" + study, "old=" + directory.resolve("other"), "--out", merged))
                .isEqualTo(2);
        assertThat(err.toString()).contains("two machines called 'old'");
        assertThat(report("--merge", "old=" + study, "new=" + study, "--out", merged))
                .isEqualTo(2);
        assertThat(err.toString()).contains("was given twice");
        assertThat(report("--merge", study, "old=" + study)).isEqualTo(2);
    }

    @Test
    void twoStudiesAndTwoDesignsAreCompared() throws IOException {
        Path study = study("study");
        assertThat(report(study, study("other"))).isZero();
        assertThat(out.toString()).contains("end to end, p99", "1.000");
        out.getBuffer().setLength(0);
        assertThat(report(study, "--compare", "dedicated,inline", "--json")).isZero();
        JsonNode found = new ObjectMapper().readTree(out.toString());
        assertThat(found.path("cells")).isNotEmpty().allSatisfy(cell -> {
            assertThat(cell.path("targetA").textValue()).isEqualTo("dedicated");
            assertThat(cell.path("targetB").textValue()).isEqualTo("inline");
        });
        assertThat(found.path("cells").findValuesAsText("load")).contains("capacity", "relative", "absolute");
    }
}
