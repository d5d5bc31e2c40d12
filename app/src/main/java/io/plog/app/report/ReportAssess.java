package io.plog.app.report;

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
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code plog report} with a second run, a baseline, two targets or gates: compares and judges. */
final class ReportAssess {
    private final ReportCommand command;
    private final List<Path> inputs;
    private final List<Gate> gates;

    ReportAssess(ReportCommand command) {
        this.command = command;
        inputs = command.inputs;
        gates = command.gates.gates();
    }

    /** Does it and says the exit code; what went wrong with the run or a gate is the reason. */
    ExitCode run() throws IOException {
        Path baseline = baseline();
        checkOptions();
        Path run = inputs.get(inputs.size() - 1);
        try (SampleFileReader ofRun = SampleFileReader.open(ReportCommand.samplesOf(run));
                SampleFileReader ofBaseline =
                        baseline == null ? null : SampleFileReader.open(ReportCommand.samplesOf(baseline))) {
            Analysis.Outcome outcome = Analysis.of(ofRun);
            Assessor.Input b = new Assessor.Input(run.toString(), ofRun, outcome.results());
            Assessor.Input a = ofBaseline != null && baseline != null
                    ? new Assessor.Input(baseline.toString(), ofBaseline, Analysis.results(ofBaseline))
                    : command.targets != null ? b : null;
            Assessment found = assess(a, b);
            write(found, outcome);
            command.print(command.json ? ResultsFile.json(found) : AssessmentText.of(found));
            return exitCode(found);
        }
    }

    private Assessment assess(Assessor.@Nullable Input a, Assessor.Input b) throws IOException {
        TargetPair.Names pair =
                command.targets == null ? null : new TargetPair.Names(command.targets.get(0), command.targets.get(1));
        try {
            return Assessor.of(a, b, new Assessor.Request(pair, gates, command.anyway, command.gates.strict()));
        } catch (NotComparableException e) {
            throw new IllegalArgumentException(e.getMessage() + ". --anyway compares them nevertheless");
        }
    }

    /** The run to compare with: the first of two, or the one that {@code --baseline} names. */
    private @Nullable Path baseline() {
        if (inputs.size() > 2 || (inputs.size() == 2 && command.baseline != null)) {
            throw new IllegalArgumentException(inputs.size() + " results were given"
                    + (command.baseline == null ? "" : " and a --baseline")
                    + "; two can be compared, and more than two clients' runs merged with --merge");
        }
        return inputs.size() == 2 ? inputs.get(0) : command.baseline;
    }

    private void checkOptions() throws IOException {
        if (command.targets != null && command.targets.size() != 2) {
            throw new IllegalArgumentException("--compare takes two targets, as --compare a,b");
        }
        if (command.out != null) {
            ResultsDirectory.check(command.out, command.overwrite);
        }
    }

    private void write(Assessment found, Analysis.Outcome run) throws IOException {
        Path out = command.out;
        if (out != null || command.figures != null) {
            String written = RunPage.write(run, out, command.figures, command.overwrite, found)
                    .figures();
            if (command.figures != null) {
                command.say("figures: " + written);
            }
        }
        if (out != null) {
            command.say("report: " + out.resolve(ResultsFile.HTML));
        }
    }

    /** A run that is not valid says nothing about a gate, whichever way that came out. */
    private ExitCode exitCode(Assessment found) {
        String invalid = found.invalid();
        if (!invalid.isEmpty()) {
            command.complain("not valid, " + invalid);
            return ExitCode.NOT_VALID;
        }
        return found.failed() ? ExitCode.CHECK_FAILED : ExitCode.DONE;
    }
}
