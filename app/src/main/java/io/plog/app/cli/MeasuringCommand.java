package io.plog.app.cli;

import io.plog.measure.PlanException;
import io.plog.measure.ProgressListener;
import io.plog.measure.Resumption;
import io.plog.measure.plan.Plan;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.page.RunPage;
import io.plog.results.Analysis;
import io.plog.results.TerminalSummary;
import io.plog.results.compare.Assessment;
import io.plog.results.compare.AssessmentText;
import io.plog.results.compare.Assessor;
import io.plog.results.compare.Gate;
import io.plog.results.model.Check;
import io.plog.results.model.Results;
import io.plog.results.model.ResultsFile;
import io.plog.stats.text.Units;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the commands have in common that measure: their directory, what they print of their results, and how the command ends. */
public abstract class MeasuringCommand extends ConsoleCommand {
    @Option(
            names = {"-o", "--out"},
            paramLabel = "DIR",
            description = "Directory for the results. Default: a new one under plog-results, named after the time.")
    private @Nullable Path out;

    @Option(names = "--overwrite", description = "Replace results that are in the directory already.")
    private boolean overwrite;

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description = "Continue the interrupted run whose results are in DIR: what is whole is kept.")
    private @Nullable Path resume;

    @Option(names = "--csv", description = "Also export all samples as samples.csv.")
    private boolean csv;

    @Option(names = "--json", description = "Print results.json instead of the summary.")
    private boolean json;

    private volatile @Nullable ProgressPrinter terminal;

    /** Kept until the command ends. */
    private @Nullable Closeable lock;

    private @Nullable GateOptions gates;
    private @Nullable Assessment judged;

    /** The directory for the results: the interrupted run's, the one that was named, or one named after the command and the time. */
    protected final Path directory() {
        if (resume != null) {
            return resume;
        }
        if (out == null) {
            out = ResultsDirectory.byTime(spec().name() + "-", Instant.now());
        }
        return out;
    }

    /** Whether an interrupted run is to go on. */
    protected final boolean isResumed() {
        return resume != null;
    }

    /**
     * Checks that results may be written there; changes nothing.
     *
     * @throws IOException if they may not
     */
    protected final void checkDirectory() throws IOException {
        if (resume == null) {
            ResultsDirectory.check(directory(), overwrite);
        } else {
            ResultsLock.check(resume);
        }
    }

    /**
     * Makes the directory ready for new results, or for more of those that are there.
     *
     * @throws IOException if there are some that may not be replaced, or another run is writing there
     */
    protected final Path prepareDirectory() throws IOException {
        lock = resume == null ? ResultsDirectory.prepare(directory(), overwrite) : ResultsLock.take(resume);
        return directory();
    }

    /** Writes the plan next to the results, so that the run can be repeated or continued; one that goes on has it there. */
    protected final void writePlan(PlanOptions plan, Map<String, ?> values) throws IOException {
        if (resume == null) {
            plan.write(values, directory());
        }
    }

    /**
     * What was measured before.
     *
     * @param plan what is measured
     * @throws PlanException if something else was
     */
    protected final Resumption resumption(Plan plan) throws IOException, PlanException {
        Path samples = directory().resolve(SampleFileWriter.FILE_NAME);
        return resume == null ? Resumption.begin(samples) : Resumption.of(samples, plan);
    }

    /** Holds what is measured against these gates; returns them. */
    protected final List<Gate> holdAgainst(GateOptions given) {
        gates = given;
        return given.gates();
    }

    /** Notes what else this command has in a directory on a disk that it measures: what was killed could not remove its own. */
    protected final void noteOthers(Path directory) {
        String @Nullable [] names = directory.toFile().list();
        for (String name : names == null ? new String[0] : names) {
            if (name.matches("plog-" + spec().name() + "-\\d{12,}")) {
                complain("note: " + directory.resolve(name)
                        + " was left by a run that was killed or failed, unless one that"
                        + " is under way uses it: delete it if you do not need it");
            }
        }
    }

    @Override
    protected void ended() throws IOException {
        if (lock != null) {
            lock.close();
        }
    }

    /** What is measured, once its directory is prepared. */
    @FunctionalInterface
    protected interface Measuring {
        /** Writes the samples into the directory; a run that ends early is no exception. */
        void run(ProgressListener listener) throws IOException, PlanException, InterruptedException;
    }

    /**
     * Measures what is not measured yet, and shows how far it is; writes the results, prints them, and says how the command ends.
     *
     * @param directory of the results; prepared
     */
    protected final ExitCode measure(Results.Kind kind, Path directory, Resumption before, Measuring measuring)
            throws IOException, PlanException, InterruptedException {
        return measure(kind, directory, before.isComplete() ? listener -> {} : measuring);
    }

    /** As above; {@code measuring} knows what is measured. */
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
        ExitCode ended = ending(found, directory);
        if (judged == null) {
            return ended;
        }
        err().print(AssessmentText.ofGates(judged));
        return judged.failed() ? ExitCode.CHECK_FAILED : ended;
    }

    /**
     * Says where the results go, and how much room their samples take, of which so many are known to come at most.
     *
     * @param samples 0 if that depends on how fast what is measured is
     */
    protected final void announce(long seed, long samples) {
        announce(seed, samples, SampleFileWriter.SAMPLE_BYTES);
    }

    /** Says it of samples of another size. */
    protected final void announce(long seed, long samples, int bytesEach) {
        Path there = directory().toAbsolutePath();
        while (!Files.exists(there)) {
            there = Objects.requireNonNull(there.getParent(), "the root is there");
        }
        double free = there.toFile().getUsableSpace();
        double bytes = (double) samples * bytesEach;
        say("seed " + seed + "; results go to " + directory() + ", where " + gigabytes(free)
                + " are free; samples take "
                + (samples > 0
                        ? "about " + gigabytes(bytes) + ", " + bytesEach + " bytes each"
                        : bytesEach + " bytes each, which is "
                                + gigabytes(1e3 * 3600 * bytesEach)
                                + " an hour for each 1,000 requests/s (an estimate)")
                + (bytes > free ? ": more than there is, so it will end early" : ""));
    }

    private static String gigabytes(double bytes) {
        return bytes < 1e8
                ? Units.significantDigits(bytes / 1e6, 2) + " MB"
                : Units.significantDigits(bytes / 1e9, 2) + " GB";
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

    /** Writes what is made of the samples; returns what {@code results.json} holds. A part of a measurement is judged by no gate. */
    private Results report(Path directory) throws IOException {
        try (SampleFileReader source = SampleFileReader.open(directory.resolve(SampleFileWriter.FILE_NAME))) {
            Analysis.Outcome outcome = Analysis.of(source);
            if (gates != null
                    && !gates.gates().isEmpty()
                    && !outcome.results().partial().partial()) {
                judged = Assessor.ofGates(source, outcome.results(), gates.gates(), gates.strict());
            }
            return RunPage.write(outcome, directory, null, true, judged).results();
        }
    }

    private ExitCode ending(Results found, Path directory) {
        if (found.partial().partial()) {
            complain("the run is partial: " + found.partial().reason()
                    + (found.maxRate() == null
                            ? "; plog " + spec().name() + " --resume " + directory + " continues it"
                            : "; a search begins anew each time"));
            return ExitCode.FAILED;
        }
        for (Check check : found.validity()) {
            if (check.invalidates()) {
                complain("the run is not valid: " + check.detail());
                return ExitCode.NOT_VALID;
            }
        }
        Results.MaxRate rate = found.maxRate();
        if (rate != null && (rate.perSecond() == null || rate.perSecond().value() == 0)) {
            complain(rate.sentence());
            return ExitCode.FAILED;
        }
        return ExitCode.DONE;
    }
}
