package io.plog.app.measure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.app.CommandRun;
import io.plog.results.compare.TestRun;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportCompareCommandTest {
    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int report(Object... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return CommandRun.plog(
                out,
                err,
                Stream.concat(Stream.of("report"), Stream.of(arguments)).toArray());
    }

    private Path run(String name, TestRun run) throws IOException {
        return run.write(directory.resolve(name));
    }

    private void misused(String words, Object... arguments) {
        assertThat(report(arguments)).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().strip()).hasLineCount(1).contains(words);
    }

    @Test
    void comparesTwoRunsTheFirstBeingTheBaseline() throws IOException {
        Path a = run("a", TestRun.of(2000, 1));
        Path b = run("b", TestRun.of(2000, 2).slower("main", 1.5));
        assertThat(report(a, b)).isZero();
        assertThat(out.toString())
                .startsWith("### plog: ")
                .contains("- A, the baseline: " + a, "- B, the run: " + b, "| end to end, p50 ");
        String first = out.toString();
        assertThat(report(b, "--baseline", a)).isZero();
        assertThat(out.toString()).isEqualTo(first);
        assertThat(a.resolve("report.html")).doesNotExist();
        assertThat(b.resolve("report.html")).doesNotExist();
    }

    @Test
    void comparesTwoTargetsOfOneRun() throws IOException {
        Path run = run(
                "run",
                TestRun.of(2000, 1)
                        .targets(List.of(TestRun.target(1, "old", "dsync"), TestRun.target(2, "new", "dsync")))
                        .slower("old", 1)
                        .slower("new", 0.5));
        assertThat(report(run, "--compare", "old,new")).isZero();
        assertThat(out.toString()).contains("| new by old | ", "| shorter ");
        misused("target nwe was not measured", run, "--compare", "old,nwe");
        misused("--compare takes two targets", run, "--compare", "old");
    }

    @Test
    void refusesWhatIsNotComparableUnlessAskedOtherwise() throws IOException {
        Path a = run("a", TestRun.of(200, 1));
        Path b = run(
                "b",
                TestRun.of(200, 1)
                        .targets(List.of(TestRun.target(1, "main", "dsync"), TestRun.target(2, "off", "off"))));
        misused("way of forcing of target main is fdatasync in A and dsync in B. --anyway", a, b);
        assertThat(report(a, b, "--anyway")).isZero();
        assertThat(out.toString()).contains("- compared although it should not be", "- not comparable, way of");
    }

    @Test
    void aGateThatFailsExitsWith4AndIsInEveryOutput() throws Exception {
        Path a = run("a", TestRun.of(2000, 1));
        Path b = run("b", TestRun.of(2000, 2).slower("main", 1.5));
        assertThat(report(
                        b,
                        "--baseline",
                        a,
                        "--fail-if",
                        "endToEnd.p50@target=main > 1.1x",
                        "--fail-if",
                        "endToEnd.max > 10s",
                        "--json"))
                .isEqualTo(4);
        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertThat(json.path("gates").size()).isEqualTo(6);
        assertThat(json.path("gates").get(0).path("outcome").textValue()).isEqualTo("fails");
        assertThat(report(b, "--baseline", a, "--fail-if", "endToEnd.p50@target=main > 2x"))
                .isZero();
        assertThat(out.toString()).startsWith("### plog: No gate of 2 failed.");
    }

    @Test
    void aRunThatIsNotValidExitsWith5UnlessAGateFailed() throws IOException {
        Path run = run("run", TestRun.of(200, 1).failing(3));
        assertThat(report(run, "--fail-if", "endToEnd.p50 > 1s")).isEqualTo(5);
        assertThat(err.toString()).startsWith("plog report: not valid, " + run);
        assertThat(out.toString())
                .startsWith("### plog: the run is not valid\n")
                .contains("**Not valid:** ");
        assertThat(report(run, "--fail-if", "endToEnd.p50@target=main > 0us")).isEqualTo(4);
        assertThat(err.toString()).contains("plog report: not valid, " + run);
        assertThat(out.toString()).contains("### plog: the run is not valid, and 2 of 2 gates failed.\n");
    }

    @Test
    void whatMakesNoSenseIsMisuse() throws IOException {
        Path a = run("a", TestRun.of(200, 1));
        Path b = run("b", TestRun.of(200, 2));
        misused("did you mean endToEnd.p90?", a, "--fail-if", "endToEnd.p98 > 1s");
        misused(a + " was given twice", a, b, a);
        misused("3 results were given", a, b, a, "--fail-if", "endToEnd.p50 > 1s");
        misused("2 results were given and a --baseline", a, b, "--baseline", a);
        misused(
                "--figures draws a run",
                a,
                b,
                "--merge",
                "--out",
                directory.resolve("m"),
                "--figures",
                directory.resolve("f"));
        misused("at least two results and --out", a, "--merge");
        misused("compares nothing", a, b, "--merge", "--out", directory.resolve("m"), "--fail-if", "endToEnd.p50 > 1s");
    }

    @Test
    void aDirectoryWithoutSamplesIsNoBaseline() throws IOException {
        Path a = run("a", TestRun.of(200, 1));
        Path empty = Files.createDirectory(directory.resolve("empty"));
        assertThat(report(a, "--baseline", empty)).isEqualTo(1);
        assertThat(err.toString().strip())
                .hasLineCount(1)
                .contains("samples.plog")
                .contains("no such file");
    }

    @Test
    void theReportOfAComparisonHoldsIt() throws Exception {
        Path a = run("a", TestRun.of(400, 1));
        Path b = run("b", TestRun.of(400, 2));
        Path to = directory.resolve("out");
        assertThat(report(a, b, "--out", to)).isZero();
        JsonNode comparison =
                new ObjectMapper().readTree(to.resolve("comparison.json").toFile());
        assertThat(comparison.path("cells").size()).isEqualTo(6);
        assertThat(Files.readString(to.resolve("report.html")))
                .contains(
                        "<caption>comparison</caption>",
                        comparison.path("sentence").asText());
        assertThat(report(a, b, "--figures", directory.resolve("figures"))).isZero();
        assertThat(directory.resolve("figures/comparison.csv")).content().startsWith("payload bytes,target A");
        assertThat(directory.resolve("figures/means.csv")).isNotEmptyFile();
        assertThat(report(a, b, "--out", to)).isEqualTo(1);
        assertThat(err.toString()).contains("holds results already");
        assertThat(report(b, "--out", directory.resolve("plain"))).isZero();
        assertThat(Files.readString(directory.resolve("plain").resolve("report.html")))
                .doesNotContain("<caption>comparison</caption>");
    }

    @Test
    void clientsThatMeasuredAtOnceBecomeOneRunOfAllTheirSamples() throws Exception {
        Path a = run("a", TestRun.of(200, 1));
        Path b = run("b", TestRun.of(200, 2).startedAt("2026-11-20T14:00:00.010Z"));
        Path to = directory.resolve("merged");
        assertThat(report("--merge", a, b, "--out", to, "--json")).isZero();
        JsonNode results = new ObjectMapper().readTree(out.toString());
        assertThat(results.path("cells").get(0).path("count").intValue()).isEqualTo(400);
        assertThat(results.path("plan").path("connections").intValue()).isEqualTo(2);
        assertThat(results.path("plan").path("iterations").intValue()).isEqualTo(400);
        assertThat(results.path("environment").path("client").path("mergedFrom").textValue())
                .isEqualTo("2 clients");
        assertThat(err.toString()).contains("merged from 2 clients").doesNotContain("no load of both");
        assertThat(report(to, "--overwrite")).isZero();
        assertThat(out.toString()).contains("2 connections with", "from: 2 clients");
        assertThat(report("--merge", a, b, "--out", to)).as("there already").isEqualTo(1);
    }

    @Test
    void clientsOfAnotherPlanOrServerAreNotMergedAndWhatDiffersIsNamed() throws IOException {
        Path a = run("a", TestRun.of(200, 1));
        Path b = run("b", TestRun.of(300, 2));
        Path to = directory.resolve("merged");
        misused("iterations is 300 in " + b, "--merge", a, b, "--out", to);
        Path c = run("c", TestRun.of(200, 1).with("server", java.util.Map.of("cpu", "a fast one", "host", "there")));
        misused("the server's facts is {host=there", "--merge", a, c, "--out", to, "--overwrite");
        misused("was given twice", "--merge", a, a, "--out", to, "--overwrite");
        misused("which is to be merged", "--merge", a, b, "--out", directory);
        assertThat(to.resolve("samples.plog")).doesNotExist();
    }

    @Test
    void clientsThatDidNotRunAtOnceAreMergedWithAWarning() throws IOException {
        Path a = run("a", TestRun.of(200, 1));
        Path b = run("b", TestRun.of(200, 2).startedAt("2026-11-20T15:00:00Z"));
        assertThat(report("--merge", a, b, "--out", directory.resolve("merged")))
                .isZero();
        assertThat(err.toString()).contains("ran together for 0 ms of 1000 ms; this is no load of both at once");
    }
}
