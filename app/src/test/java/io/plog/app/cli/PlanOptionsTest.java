package io.plog.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.app.CommandRun;
import io.plog.app.PlogCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanOptionsTest {
    @TempDir
    private Path directory;

    /** A dry run of a command's words, with more of them. */
    private static CommandRun dry(Map<String, String> environment, String words, Object... more) {
        return new CommandRun(
                new PlogCommand(),
                environment,
                Stream.concat(
                                Stream.of((words + " --dry-run").split(" ")),
                                Stream.of(more).map(String::valueOf))
                        .toArray(String[]::new));
    }

    private Path plan(String text) throws IOException {
        return Files.writeString(directory.resolve("plan.json"), text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "disk . --sizes 512,4Ki --neighbours none --max-write 1Gi -d 2s",
                "study --paper --loads 0.5,0.9 --mix 100=1,1k=3 -d 1500ms",
                "demo --log-dir . --log-dir .. --force fdatasync --sizes 100 -r 1500.5 -n 50 --warmup auto:40"
            })
    void aDryRunPrintsThePlanThatAPlanFileIs(String words) throws IOException {
        CommandRun first = dry(Map.of(), words).exited(0);
        String command = words.startsWith("disk") ? "disk ." : words.substring(0, words.indexOf(' '));
        Path printed = plan(first.out);
        assertThat(dry(Map.of(), command, "--plan", printed).out)
                .contains("\"seed\"")
                .isEqualTo(first.out);
        assertThat(dry(Map.of("PLOG_SEED", "4"), command, "--plan=" + printed).out)
                .as("the plan is nearer than the environment")
                .isEqualTo(first.out);
        assertThat(dry(Map.of(), command, "--plan", printed, "--seed", "5").out)
                .as("an option wins")
                .contains("\"seed\" : 5");
    }

    @Test
    void whatAPlanDoesNotSayIsLeftToOptionsAndDefaults() throws IOException {
        String out = dry(
                        Map.of(),
                        "disk .",
                        "--plan",
                        plan("// each spring\n{\"sizes\": \"1k\", \"shared\": [1, \"8\"]}"),
                        "--seed",
                        "7")
                .out;
        assertThat(out)
                .contains(
                        "\"sizes\" : [ \"1k\" ]",
                        "\"shared\" : [ 1, 8 ]",
                        "\"duration\" : \"30000ms\"",
                        "\"seed\" : 7");
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"size\": 5} | unknown key 'size' (did you mean 'sizes'?)",
                "{\"frobnicate\": 5} | unknown key 'frobnicate'; plog disk takes duration, files",
                "{\"schemaVersion\": 0} | key 'schemaVersion' is 0, expected 1",
                "{\"sizes\": [\"1k\", [2]]} | key 'sizes' is [\"1k\",[2]], expected a text, a number, or a list",
                "{\"seed\": null} | key 'seed' is null, expected a text",
                "\"just a sentence\" | is no plan: expected names of options",
                "{\"sizes\": [1 | Unexpected end-of-input: expected close marker for Array",
                "{\"sizes\": NaN} | is not JSON: line 1, column 14: Non-standard token 'NaN'",
                "{\"seed\": 1, \"seed\": 2} | Duplicate field 'seed'",
                "'' | is no plan",
            })
    void whatIsNoPlanIsNamedWithWhatWasExpected(String text, String message) throws IOException {
        CommandRun run = dry(Map.of(), "disk .", "--plan", plan(text)).exited(2);
        assertThat(run.err)
                .hasLineCount(1)
                .contains("plog disk: ", "plan.json: ", message.strip())
                .doesNotContain("Feature");
    }

    @Test
    void aValueThatMakesNoSenseIsNamedLikeThatOfAnOption() throws IOException {
        CommandRun run = dry(Map.of(), "measure", "--plan", plan("{\"iterations\": 1.5}"))
                .exited(2);
        assertThat(run.err).contains("'--iterations': '1.5' is not a long");
        assertThat(dry(Map.of(), "load -c 5 http://a:80/").err).contains("did you mean --server http://a:80/?");
        assertThat(dry(Map.of(), "load --mode close").err).contains("did you mean 'closed'?");
        assertThat(dry(Map.of(), "load --mode closed --workload read-hevy").err).contains("did you mean 'read-heavy'?");
    }

    @Test
    void aLoadIsOpenIfItHasARateAndElseClosed() throws IOException {
        assertThat(dry(Map.of(), "load -c 16 -d 5s --arrivals poisson").exited(2).err)
                .contains("--arrivals has no meaning with --mode closed");
        assertThat(dry(Map.of(), "load -r 200 --outstanding 3").exited(2).err)
                .contains("--outstanding has no meaning with --mode open");
    }

    /** As Windows PowerShell's redirection writes one. */
    @Test
    void aPlanInAnotherEncodingIsNamedWithTheOneExpected() throws IOException {
        Path wide = Files.write(directory.resolve("wide.json"), "{\"sizes\": 100}".getBytes(StandardCharsets.UTF_16));
        assertThat(dry(Map.of(), "demo", "--plan", wide.toString()).exited(2).err)
                .contains(wide + ": expected text in UTF-8");
        dry(Map.of(), "demo", "--plan", plan("\uFEFF{\"sizes\": 100}")).exited(0);
    }

    @Test
    void whatAPlanSaysCanBeGivenAgain() throws IOException {
        String disks = dry(Map.of(), "demo --disks ssd,nvme --sizes 100 -n 50").exited(0).out;
        assertThat(disks).contains("sim:ssd", "sim:nvme").doesNotContain("\"disks\"");
        assertThat(dry(Map.of(), "demo", "--plan", plan(disks)).exited(0).out).isEqualTo(disks);
        String disk = dry(Map.of(), "disk . --duration 2000.5ms").exited(0).out;
        assertThat(disk).contains("\"duration\" : \"2000500us\"");
        assertThat(dry(Map.of(), "disk .", "--plan", plan(disk)).exited(0).out).isEqualTo(disk);
    }
}
