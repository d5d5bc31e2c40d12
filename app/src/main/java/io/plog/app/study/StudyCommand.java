package io.plog.app.study;

import io.plog.app.cli.ExitCode;
import io.plog.app.cli.HelpGroups;
import io.plog.app.cli.ResultsDirectory;
import io.plog.app.cli.StopSignals;
import io.plog.host.CpuGroup;
import io.plog.measure.study.StudyPlan;
import io.plog.page.RunPage;
import io.plog.results.TerminalSummary;
import io.plog.results.model.Results;
import io.plog.results.model.ResultsFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code plog study}: where latency comes from, by design and load, with a fresh server for each cell. */
@Command(
        name = "study",
        mixinStandardHelpOptions = true,
        description = {
            "Compares servers that wait for the force of their log in different places: capacity,"
                    + " latency against load, fairness, bursts, components.",
            "Each trial has a fresh server of each design, in a process of its own, on loopback.",
            "Examples:",
            "  plog study --dry-run",
            "  plog study --designs inline,dedicated --loads 0.5,0.9 -d 5s -o results"
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:measured as planned",
            "1:failed, or ended early, or a cell failed: what was measured is written, marked as partial",
            "2:misused",
            "5:measured, but the study is not valid; the text says why"
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class StudyCommand implements Callable<Integer> {
    @Mixin
    private StudyOptions options;

    @Option(
            names = "--log-dir",
            order = HelpGroups.WHERE,
            paramLabel = "DIR",
            description = "Directory on the disk to measure; the logs go into a new one inside. Default: within --out.")
    private @Nullable Path logDir;

    @Option(names = "--json", order = HelpGroups.RESULTS, description = "Print results.json instead of text.")
    private boolean json;

    @Option(
            names = {"-o", "--out"},
            order = HelpGroups.RESULTS,
            paramLabel = "DIR",
            description =
                    "Directory for the results, new or empty. Default: one under plog-results, named after the time.")
    private @Nullable Path out;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        StudyPlan plan = options.plan();
        if (options.dryRun()) {
            Path disk = logDir != null
                    ? ResultsDirectory.checkLogDir(logDir)
                    : Path.of(".").toAbsolutePath().normalize();
            say(StudyDefaults.text(plan, disk).stripTrailing());
            return options.print(options.values()).code();
        }
        checkLimits(plan);
        Path parent = logDir == null ? null : ResultsDirectory.checkLogDir(logDir);
        Path results =
                ResultsDirectory.createEmpty(out != null ? out : ResultsDirectory.byTime("study-", Instant.now()));
        Path logs = parent == null
                ? Files.createDirectories(results.resolve("log"))
                : Files.createTempDirectory(parent, "plog-study-");
        try {
            checkSpace(plan, logs, logs.toFile().getUsableSpace());
            return measure(plan, results, logs);
        } finally {
            Files.deleteIfExists(logs);
        }
    }

    private int measure(StudyPlan plan, Path results, Path logs) throws IOException, InterruptedException {
        options.write(options.values(), results);
        say(StudyDefaults.text(plan, logs).stripTrailing());
        StudyRun run = new StudyRun(plan, results, logs, this::say);
        StopSignals.onFirst(run::stop);
        Results found = RunPage.write(run.run(), results);
        print(json ? ResultsFile.json(found) : TerminalSummary.of(found));
        say("results: " + results.resolve(ResultsFile.RESULTS) + ", report: " + results.resolve(ResultsFile.HTML));
        return ExitCode.ofResults(
                        "the study",
                        found.partial().partial() ? found.partial().reason() : "",
                        found.validity(),
                        sentence -> say("plog study: " + sentence))
                .code();
    }

    private void checkLimits(StudyPlan plan) throws IOException {
        if (!plan.levels().processors().isEmpty()) {
            CpuGroup.make(plan.levels().processors().get(0)).close();
        }
    }

    /** Refuses a study whose log has no room, before anything starts. */
    static void checkSpace(StudyPlan plan, Path logs, long freeBytes) throws IOException {
        long needed = StudyDefaults.spaceBytes(plan);
        if (freeBytes < needed) {
            throw new IOException("the logs of a trial need up to " + (needed >> 20) + " MiB, but " + logs.getParent()
                    + " has " + (freeBytes >> 20)
                    + " free; name another place with --log-dir, or a --mix of smaller sizes");
        }
    }

    private void print(String text) {
        PrintWriter stdout = spec.commandLine().getOut();
        stdout.print(text);
        stdout.flush();
    }

    private void say(String line) {
        spec.commandLine().getErr().println(line);
        spec.commandLine().getErr().flush();
    }
}
