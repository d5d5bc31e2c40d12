package io.plog.app.cli;

import io.plog.measure.PlanException;
import io.plog.measure.ProgressListener;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.page.RunPage;
import io.plog.results.TerminalSummary;
import io.plog.results.model.Check;
import io.plog.results.model.Results;
import io.plog.results.model.ResultsFile;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the commands have in common that measure: what they print of their results, and how the command ends. */
public abstract class MeasuringCommand extends ResultsCommand {
    @Option(names = "--csv", order = HelpGroups.RESULTS, description = "Also export all samples as samples.csv.")
    private boolean csv;

    @Option(names = "--json", order = HelpGroups.RESULTS, description = "Print results.json instead of the summary.")
    private boolean json;

    private volatile @Nullable ProgressPrinter terminal;

    /** What is measured, once its directory is prepared. */
    @FunctionalInterface
    protected interface Measuring {
        /** Writes the samples into the directory; a run that ends early is no exception. */
        void run(ProgressListener listener) throws IOException, PlanException, InterruptedException;
    }

    /**
     * Measures, shows how far it is, writes the results, prints them, and says how the command ends.
     *
     * @param directory of the results; prepared
     */
    protected final ExitCode measure(Results.Kind kind, Path directory, Measuring measuring)
            throws IOException, PlanException, InterruptedException {
        Results found;
        try (RunProgress file = new RunProgress(directory, kind.label());
                ProgressPrinter shown = ProgressPrinter.onStandardError(err())) {
            terminal = shown;
            measuring.run(now -> {
                file.at(now.done(), now.total(), now.line());
                shown.progress(now);
            });
            found = report(directory);
        }
        if (csv) {
            ResultsDirectory.writeCsv(directory);
        }
        print(json ? ResultsFile.json(found) : TerminalSummary.of(found));
        say("results: " + directory.resolve(ResultsFile.RESULTS) + ", report: " + directory.resolve(ResultsFile.HTML));
        return ending(found, directory);
    }

    @Override
    public void say(String line) {
        ProgressPrinter shown = terminal;
        if (shown == null) {
            super.say(line);
        } else {
            shown.say(line);
        }
    }

    /** Writes what is made of the samples; returns what {@code results.json} holds. */
    protected Results report(Path directory) throws IOException {
        return RunPage.write(directory.resolve(SampleFileWriter.FILE_NAME), directory);
    }

    private ExitCode ending(Results found, Path directory) {
        if (found.partial().partial()) {
            complain("the run is partial: " + found.partial().reason()
                    + (found.kind() == Results.Kind.RUN ? "; --resume " + directory + " continues it" : ""));
            return ExitCode.FAILED;
        }
        for (Check check : found.validity()) {
            if (check.invalidates()) {
                complain("the run is not valid: " + check.detail());
                return ExitCode.NOT_VALID;
            }
        }
        return ExitCode.DONE;
    }
}
