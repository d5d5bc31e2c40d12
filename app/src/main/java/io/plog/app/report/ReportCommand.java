package io.plog.app.report;

import io.plog.app.cli.CommandException;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.HelpGroups;
import io.plog.app.cli.ResultsDirectory;
import io.plog.page.RunPage;
import io.plog.results.TerminalSummary;
import io.plog.results.model.Results;
import io.plog.results.model.ResultsFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plog report}: renders runs again from their samples, compares, judges and merges them. */
@Command(
        name = "report",
        description = {
            "Renders a run, a load, a disk or a study again from its samples; compares two of them, two targets, two"
                    + " directories or two designs; checks gates; merges the runs of several clients, or the studies of several machines.",
            "Examples:",
            "  plog report results --figures figures",
            "  plog report today --baseline yesterday --fail-if 'endToEnd.p99 > 1.1x'"
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:rendered, compared, or every gate holds",
            "1:failed: a file is missing, damaged, of a newer format, or in the way",
            "2:misused: an option, a gate, or runs that cannot be compared or merged",
            "4:a gate failed",
            "5:compared, but a run is not valid; the first line says why"
        })
public final class ReportCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    private CommandSpec spec;

    @Parameters(
            paramLabel = "RESULTS",
            arity = "1..*",
            description =
                    "A results directory, or the results.json or the samples.plog inside it. Of two, the first is the"
                            + " baseline.")
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    private List<Path> inputs;

    @Option(
            names = {"-o", "--out"},
            order = HelpGroups.RESULTS,
            paramLabel = "DIR",
            description = "Where to write; by default next to the samples.")
    private @Nullable Path out;

    @Option(
            names = "--figures",
            order = HelpGroups.RESULTS,
            paramLabel = "DIR",
            description =
                    "Also write there what the figures draw as CSV, and each figure as SVG if Chromium or Chrome is installed.")
    private @Nullable Path figures;

    @Option(names = "--overwrite", order = HelpGroups.RESULTS, description = "Replace files that exist already.")
    private boolean overwrite;

    @Option(names = "--json", order = HelpGroups.RESULTS, description = "Print results.json instead of the summary.")
    private boolean json;

    @Mixin
    private final CompareOptions options = new CompareOptions();

    @Override
    public Integer call() throws IOException, CommandException {
        PrintWriter stdout = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        boolean several = inputs.size() > 1 || options.assesses();
        if (figures != null && options.merge) {
            throw new CommandException(
                    ExitCode.MISUSED, "--figures draws a run that is there; draw the merged run then");
        }
        if (options.merge && options.assesses()) {
            throw new CommandException(
                    ExitCode.MISUSED, "--merge makes a run and compares nothing; compare the merged run then");
        }
        if (options.merge) {
            return new ReportMerge(out, overwrite, json).run(inputs, stdout, err);
        }
        return several
                ? new ReportAssess(options, out, figures, overwrite, json).run(inputs, stdout, err)
                : render(inputs.get(0));
    }

    private int render(Path input) throws IOException, CommandException {
        Path samples = ReportInput.samplesOf(input);
        Path parent = samples.toAbsolutePath().getParent();
        Path directory = out != null ? out : parent != null ? parent : samples;
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new CommandException(ExitCode.FAILED, "--out " + directory + " is a file, expected a directory");
        }
        if (out != null) {
            ResultsDirectory.check(out, overwrite);
        }
        RunPage.Written written = RunPage.write(samples, directory, figures, overwrite);
        Results results = written.results();
        spec.commandLine().getOut().print(json ? ResultsFile.json(results) : TerminalSummary.of(results));
        spec.commandLine().getOut().flush();
        spec.commandLine().getErr().println("report: " + directory.resolve(ResultsFile.HTML));
        if (figures != null) {
            spec.commandLine().getErr().println("figures: " + written.figures());
        }
        return ExitCode.DONE.code();
    }
}
