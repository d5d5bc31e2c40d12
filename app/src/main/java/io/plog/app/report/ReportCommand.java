package io.plog.app.report;

import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.GateOptions;
import io.plog.app.cli.HelpGroups;
import io.plog.app.cli.ResultsDirectory;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.page.RunPage;
import io.plog.results.Analysis;
import io.plog.results.TerminalSummary;
import io.plog.results.compare.NotComparableException;
import io.plog.results.model.Results;
import io.plog.results.model.ResultsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plog report}: renders runs again from their samples, compares, judges and merges them. */
@Command(
        name = "report",
        description = {
            "Renders a run, a load, a disk or a study again from its samples; compares two of them, two targets, two"
                    + " directories or two designs; checks gates; merges the runs of several clients, or the studies of several machines.",
            "Examples:",
            "  plog report results --figures figures",
            "  plog report today --baseline yesterday --fail-if 'endToEnd.p99 > 1.1x'"
        })
public final class ReportCommand extends ConsoleCommand {
    private static final String SAMPLES_FILE = SampleFileWriter.FILE_NAME;

    @Parameters(
            paramLabel = "RESULTS",
            arity = "1..*",
            description =
                    "A results directory, or the results.json or the samples.plog inside it. Of two, the first is the"
                            + " baseline.")
    List<Path> inputs;

    @Option(
            names = {"-o", "--out"},
            order = HelpGroups.RESULTS,
            paramLabel = "DIR",
            description = "Where to write; by default next to the samples.")
    @Nullable
    Path out;

    @Option(
            names = "--figures",
            order = HelpGroups.RESULTS,
            paramLabel = "DIR",
            description =
                    "Also write there what the figures draw as CSV, and each figure as SVG if Chromium or Chrome is installed.")
    @Nullable
    Path figures;

    @Option(names = "--overwrite", order = HelpGroups.RESULTS, description = "Replace files that exist already.")
    boolean overwrite;

    @Option(names = "--json", order = HelpGroups.RESULTS, description = "Print results.json instead of the summary.")
    boolean json;

    @Option(
            names = "--compare",
            order = HelpGroups.SENT,
            paramLabel = "A,B",
            split = ",",
            description = "Compare target B with target A: both of one run, or A of the first and B of the second.")
    @Nullable
    List<String> targets;

    @Option(
            names = "--baseline",
            order = HelpGroups.SENT,
            paramLabel = "RESULTS",
            description = "Compare with this run.")
    @Nullable
    Path baseline;

    @Mixin
    GateOptions gates;

    @Option(
            names = "--anyway",
            order = HelpGroups.ADVANCED,
            description = "Compare runs that are not comparable, with a warning.")
    boolean anyway;

    @Option(
            names = "--merge",
            order = HelpGroups.SENT,
            description =
                    "Merge the runs or loads of several clients that measured one server at the same time, or studies of several"
                            + " machines, as NAME=STUDY; needs --out.")
    boolean merge;

    @Override
    protected ExitCode run() throws IOException, NotComparableException {
        boolean several = inputs.size() > 1 || assesses();
        if (figures != null && merge) {
            throw new IllegalArgumentException("--figures draws a run that is there; draw the merged run then");
        }
        if (merge && assesses()) {
            throw new IllegalArgumentException("--merge makes a run and compares nothing; compare the merged run then");
        }
        if (merge) {
            return new ReportMerge(this).run();
        }
        return several ? new ReportAssess(this).run() : render(inputs.get(0));
    }

    /** Whether two sides are compared or gates are judged. */
    private boolean assesses() {
        return targets != null || baseline != null || !gates.gates().isEmpty();
    }

    private ExitCode render(Path input) throws IOException {
        Path samples = ReportCommand.samplesOf(input);
        Path parent = samples.toAbsolutePath().getParent();
        Path directory = out != null ? out : parent != null ? parent : samples;
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new IOException("--out " + directory + " is a file, expected a directory");
        }
        if (out != null) {
            ResultsDirectory.check(out, overwrite);
        }
        RunPage.Written written = RunPage.write(Analysis.of(samples), directory, figures, overwrite, null);
        Results results = written.results();
        print(json ? ResultsFile.json(results) : TerminalSummary.of(results));
        say("report: " + directory.resolve(ResultsFile.HTML));
        if (figures != null) {
            say("figures: " + written.figures());
        }
        return ExitCode.DONE;
    }

    static Path samplesOf(Path input) throws IOException {
        if (!Files.exists(input)) {
            throw new IOException(input + ": there is no such file or directory; expected a results directory, its "
                    + ResultsFile.RESULTS + " or its " + SAMPLES_FILE);
        }
        if (!Files.isDirectory(input) && !input.toString().endsWith(".json")) {
            return input;
        }
        if (!Files.isDirectory(input)) {
            ResultsFile.read(input);
        }
        Path samples = Files.isDirectory(input) ? input.resolve(SAMPLES_FILE) : input.resolveSibling(SAMPLES_FILE);
        if (!Files.exists(samples)) {
            throw new IOException(
                    samples + ": there is no such file; the report is rendered from the samples, so they must"
                            + " lie next to " + ResultsFile.RESULTS);
        }
        return samples;
    }
}
