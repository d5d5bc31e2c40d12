package io.plog.app.report;

import io.plog.app.cli.CommandException;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.ResultsDirectory;
import io.plog.measure.samples.SampleFileReader;
import io.plog.page.RunPage;
import io.plog.results.Analysis;
import io.plog.results.compare.Assessment;
import io.plog.results.compare.AssessmentText;
import io.plog.results.compare.Assessor;
import io.plog.results.compare.Gate;
import io.plog.results.compare.NotComparableException;
import io.plog.results.compare.TargetPair;
import io.plog.results.model.ResultsFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code plog report} with a second run, a baseline, two targets or gates: compares and judges. */
final class ReportAssess {
    private final CompareOptions options;
    private final @Nullable Path out;
    private final @Nullable Path figures;
    private final boolean overwrite;
    private final boolean json;

    ReportAssess(CompareOptions options, @Nullable Path out, @Nullable Path figures, boolean overwrite, boolean json) {
        this.options = options;
        this.out = out;
        this.figures = figures;
        this.overwrite = overwrite;
        this.json = json;
    }

    /** Does it and says the exit code; what went wrong with the run or a gate is the reason. */
    int run(List<Path> inputs, PrintWriter stdout, PrintWriter err) throws IOException, CommandException {
        List<Gate> gates = gates();
        Path baseline = baseline(inputs);
        checkOptions(inputs, baseline, gates);
        Path run = inputs.get(inputs.size() - 1);
        try (SampleFileReader ofRun = SampleFileReader.open(ReportInput.samplesOf(run));
                SampleFileReader ofBaseline =
                        baseline == null ? null : SampleFileReader.open(ReportInput.samplesOf(baseline))) {
            Analysis.Outcome outcome = Analysis.of(ofRun);
            Assessor.Input b = new Assessor.Input(run.toString(), ofRun, outcome.results());
            Assessor.Input a = ofBaseline != null && baseline != null
                    ? new Assessor.Input(baseline.toString(), ofBaseline, Analysis.results(ofBaseline))
                    : options.targets != null ? b : null;
            Assessment found = assess(a, b, gates);
            write(found, outcome, err);
            print(found, stdout);
            return exitCode(found, err);
        }
    }

    private Assessment assess(Assessor.@Nullable Input a, Assessor.Input b, List<Gate> gates)
            throws IOException, CommandException {
        TargetPair.Names pair =
                options.targets == null ? null : new TargetPair.Names(options.targets.get(0), options.targets.get(1));
        try {
            return Assessor.of(a, b, new Assessor.Request(pair, gates, options.anyway, options.strict));
        } catch (NotComparableException e) {
            throw new CommandException(ExitCode.MISUSED, e.getMessage() + ". --anyway compares them nevertheless");
        } catch (IllegalArgumentException e) {
            throw new CommandException(ExitCode.MISUSED, String.valueOf(e.getMessage()));
        }
    }

    private List<Gate> gates() throws CommandException {
        try {
            return options.gates == null
                    ? List.of()
                    : options.gates.stream().map(Gate::parse).toList();
        } catch (IllegalArgumentException e) {
            throw new CommandException(ExitCode.MISUSED, "--fail-if: " + e.getMessage());
        }
    }

    /** The run to compare with: the first of two, or the one that {@code --baseline} names. */
    private @Nullable Path baseline(List<Path> inputs) throws CommandException {
        if (inputs.size() > 2 || (inputs.size() == 2 && options.baseline != null)) {
            throw new CommandException(
                    ExitCode.MISUSED,
                    inputs.size() + " results were given"
                            + (options.baseline == null ? "" : " and a --baseline")
                            + "; two can be compared, and more than two clients' runs merged with --merge");
        }
        return inputs.size() == 2 ? inputs.get(0) : options.baseline;
    }

    private void checkOptions(List<Path> inputs, @Nullable Path baseline, List<Gate> gates)
            throws CommandException, IOException {
        if (options.targets != null && options.targets.size() != 2) {
            throw new CommandException(ExitCode.MISUSED, "--compare takes two targets, as --compare a,b");
        }
        if (baseline == null && options.targets == null && gates.isEmpty()) {
            throw new CommandException(
                    ExitCode.MISUSED,
                    "--markdown is about a comparison or gates; give a second run, --baseline, --compare or"
                            + " --fail-if to " + inputs.get(0));
        }
        Path file = options.markdown;
        if (file != null && Files.exists(file) && !overwrite) {
            throw new CommandException(
                    ExitCode.FAILED, file + ": exists already; name another file, or replace it with --overwrite");
        }
        if (out != null) {
            ResultsDirectory.check(out, overwrite);
        }
    }

    private void write(Assessment found, Analysis.Outcome run, PrintWriter err) throws IOException {
        if (options.markdown != null) {
            Files.writeString(options.markdown, AssessmentText.of(found), StandardCharsets.UTF_8);
        }
        if (out != null || figures != null) {
            String written = RunPage.write(run, out, figures, overwrite, found).figures();
            if (figures != null) {
                err.println("figures: " + written);
            }
        }
        if (out != null) {
            err.println("report: " + out.resolve(ResultsFile.HTML));
        }
    }

    private void print(Assessment found, PrintWriter stdout) {
        stdout.print(json ? ResultsFile.json(found) : AssessmentText.of(found));
        stdout.flush();
    }

    /** A run that is not valid says nothing about a gate, whichever way that came out. */
    private static int exitCode(Assessment found, PrintWriter err) {
        String invalid = found.invalid();
        if (!invalid.isEmpty()) {
            err.println("plog report: not valid, " + invalid);
            return ExitCode.NOT_VALID.code();
        }
        return (found.failed() ? ExitCode.CHECK_FAILED : ExitCode.DONE).code();
    }
}
