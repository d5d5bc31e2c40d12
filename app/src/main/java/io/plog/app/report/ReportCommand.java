package io.plog.app.report;

import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.GateOptions;
import io.plog.app.cli.ResultsDirectory;
import io.plog.measure.PartFiles;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.page.FigureFiles;
import io.plog.page.Page;
import io.plog.page.PageData;
import io.plog.page.RunPage;
import io.plog.results.Analysis;
import io.plog.results.TerminalSummary;
import io.plog.results.compare.Assessment;
import io.plog.results.compare.AssessmentText;
import io.plog.results.compare.Assessor;
import io.plog.results.compare.ClientMerge;
import io.plog.results.compare.Gate;
import io.plog.results.compare.NotComparableException;
import io.plog.results.compare.StudyMerge;
import io.plog.results.compare.TargetPair;
import io.plog.results.compare.Trend;
import io.plog.results.model.Results;
import io.plog.results.model.ResultsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
                    + " directories or two designs; shows more of them as a trend; checks gates; merges the runs of several clients, or the studies of several machines.",
            "Examples:",
            "  plog report results --figures figures",
            "  plog report today --baseline yesterday --fail-if 'endToEnd.p99 > 1.1x'"
        })
public final class ReportCommand extends ConsoleCommand {
    private static final String ANYWAY = ". --anyway compares them nevertheless";
    private static final String SAMPLES_FILE = SampleFileWriter.FILE_NAME;

    @Parameters(
            paramLabel = "RESULTS",
            arity = "1..*",
            description =
                    "A results directory, or the results.json or the samples.plog inside it. Of two, the first is the"
                            + " baseline; more are a trend.")
    private List<Path> inputs;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "DIR",
            description = "Where to write; by default next to the samples, of several results nowhere.")
    private @Nullable Path out;

    @Option(
            names = "--figures",
            paramLabel = "DIR",
            description =
                    "Also write there what the figures draw as CSV, and each figure as SVG if Chromium or Chrome is installed.")
    private @Nullable Path figures;

    @Option(names = "--overwrite", description = "Replace files that exist already.")
    private boolean overwrite;

    @Option(names = "--json", description = "Print results.json instead of the summary.")
    private boolean json;

    @Option(
            names = "--compare",
            paramLabel = "A,B",
            split = ",",
            description = "Compare target B with target A: both of one run, or A of the first and B of the second.")
    private @Nullable List<String> targets;

    @Option(names = "--baseline", paramLabel = "RESULTS", description = "Compare with this run.")
    private @Nullable Path baseline;

    @Mixin
    private GateOptions gates;

    @Option(names = "--anyway", description = "Compare runs that are not comparable, with a warning.")
    private boolean anyway;

    @Option(
            names = "--merge",
            description =
                    "Merge the runs or loads of several clients that measured one server at the same time, or studies of several"
                            + " machines, as NAME=STUDY; needs --out.")
    private boolean merge;

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
            return mergeAll();
        }
        if (inputs.size() >= Trend.LEAST_RUNS && !assesses()) {
            return trend();
        }
        return several ? assess() : render(inputs.get(0));
    }

    /** More than two runs, in the order of their beginnings. */
    private ExitCode trend() throws IOException {
        if (out != null) {
            ResultsDirectory.check(out, overwrite);
        }
        List<Trend.Member> members = new ArrayList<>();
        for (Path input : inputs) {
            if (inputs.indexOf(input) < members.size()) {
                throw new IllegalArgumentException(input + " was given twice: expected runs that differ");
            }
            members.add(Trend.Member.of(
                    input.toString(), Analysis.of(samplesOf(input)).results()));
        }
        for (Trend.Member each : anyway ? List.<Trend.Member>of() : members) {
            String differs = each.differsFrom(members.get(0));
            if (!differs.isEmpty()) {
                throw new IllegalArgumentException("a trend is of runs that did the same work: " + differs + ANYWAY);
            }
        }
        Trend trend = Trend.of(members, List.of());
        PageData page = RunPage.of(trend);
        if (figures != null) {
            say("figures: " + FigureFiles.write(page, figures, overwrite));
        }
        if (out != null) {
            Page.write(page, out, ResultsFile.HTML);
            say("report: " + out.resolve(ResultsFile.HTML));
        }
        print(json ? ResultsFile.json(trend) : trend.text());
        return ExitCode.DONE;
    }

    /** Whether two sides are compared or gates are judged. */
    private boolean assesses() {
        return targets != null || baseline != null || !gates.gates().isEmpty();
    }

    private ExitCode render(Path input) throws IOException {
        Path samples = samplesOf(input);
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
        if (results.partial().partial()
                && results.kind() == Results.Kind.RUN
                && Files.exists(samples.resolveSibling(ResultsDirectory.PLAN_FILE))) {
            complain("the run is partial; " + continued(samples.toAbsolutePath().resolveSibling("")));
        }
        return ExitCode.DONE;
    }

    /** With a second run, a baseline, two targets or gates; what is wrong with the run or a gate is the exit code. */
    private ExitCode assess() throws IOException {
        List<Gate> asked = gates.gates();
        Path other = other();
        if (targets != null && targets.size() != 2) {
            throw new IllegalArgumentException("--compare takes two targets, as --compare a,b");
        }
        if (out != null) {
            ResultsDirectory.check(out, overwrite);
        }
        Path run = inputs.get(inputs.size() - 1);
        try (SampleFileReader ofRun = SampleFileReader.open(samplesOf(run));
                SampleFileReader ofOther = other == null ? null : SampleFileReader.open(samplesOf(other))) {
            Analysis.Outcome outcome = Analysis.of(ofRun);
            Assessor.Input b = new Assessor.Input(run.toString(), ofRun, outcome.results());
            Assessor.Input a = ofOther != null && other != null
                    ? new Assessor.Input(other.toString(), ofOther, Analysis.results(ofOther))
                    : targets != null ? b : null;
            Assessment found = assessment(a, b, asked);
            write(found, outcome);
            print(json ? ResultsFile.json(found) : AssessmentText.of(found));
            return exitCode(found);
        }
    }

    private Assessment assessment(Assessor.@Nullable Input a, Assessor.Input b, List<Gate> asked) throws IOException {
        TargetPair.Names pair = targets == null ? null : new TargetPair.Names(targets.get(0), targets.get(1));
        try {
            return Assessor.of(a, b, new Assessor.Request(pair, asked, anyway, gates.strict()));
        } catch (NotComparableException e) {
            throw new IllegalArgumentException(e.getMessage() + ANYWAY);
        }
    }

    /** The run to compare with: the first of two, or the one that {@code --baseline} names. */
    private @Nullable Path other() {
        if (inputs.size() > 2 || (inputs.size() == 2 && baseline != null)) {
            throw new IllegalArgumentException(inputs.size() + " results were given"
                    + (baseline == null ? "" : " and a --baseline")
                    + "; two can be compared; more are a trend, or with --merge one run of several clients");
        }
        return inputs.size() == 2 ? inputs.get(0) : baseline;
    }

    private void write(Assessment found, Analysis.Outcome run) throws IOException {
        if (out != null || figures != null) {
            String written = RunPage.write(run, out, figures, overwrite, found).figures();
            if (figures != null) {
                say("figures: " + written);
            }
        }
        if (out != null) {
            say("report: " + out.resolve(ResultsFile.HTML));
        }
    }

    /** A run that is not valid does not hide that a gate failed. */
    private ExitCode exitCode(Assessment found) {
        String invalid = found.invalid();
        if (!invalid.isEmpty()) {
            complain("not valid, " + invalid);
        }
        return found.failed() ? ExitCode.CHECK_FAILED : invalid.isEmpty() ? ExitCode.DONE : ExitCode.NOT_VALID;
    }

    /** One run of several clients' runs, or one study of several machines' studies. */
    private ExitCode mergeAll() throws IOException, NotComparableException {
        if (inputs.size() < 2 || out == null) {
            throw new IllegalArgumentException("--merge takes at least two results and --out DIR for the merged run");
        }
        Map<String, Path> samples = new LinkedHashMap<>();
        boolean studies = false;
        for (Path input : inputs) {
            Path[] parts = labelled(input);
            Path file = samplesOf(parts[1]);
            if (file.toAbsolutePath()
                    .normalize()
                    .startsWith(out.toAbsolutePath().normalize())) {
                throw new IllegalArgumentException("--out " + out + " holds " + input + ", which is to be merged");
            }
            RunInfo info = info(file);
            studies |= info.isStudy();
            for (Path other : samples.values()) {
                if (Files.isSameFile(other, file)) {
                    throw new IllegalArgumentException(input + " was given twice; its samples would count twice");
                }
            }
            String label = parts[0].toString().isEmpty() ? label(input, info) : parts[0].toString();
            if (samples.put(label, file) != null) {
                throw new IllegalArgumentException(
                        "--merge has two machines called '" + label + "': name them, as fast=DIR slow=DIR");
            }
        }
        ResultsDirectory.prepare(out, overwrite).close();
        Path merged = out.resolve(SampleFileWriter.FILE_NAME);
        List<String> notes = List.of();
        if (studies) {
            StudyMerge.merge(samples, merged);
        } else {
            notes = ClientMerge.merge(List.copyOf(samples.values()), merged);
        }
        Results results =
                RunPage.write(Analysis.of(merged), out, null, false, null).results();
        notes.forEach(this::complain);
        print(json ? ResultsFile.json(results) : TerminalSummary.of(results));
        say("report: " + out.resolve(ResultsFile.HTML) + ", merged from " + inputs.size()
                + (studies ? " studies" : " clients"));
        return ExitCode.DONE;
    }

    private static RunInfo info(Path samples) throws IOException {
        try (SampleFileReader reader = SampleFileReader.open(samples)) {
            return reader.info();
        }
    }

    /** What a machine is called whose study has no name. */
    private static String label(Path input, RunInfo info) {
        return input + ": " + info.server().getOrDefault("cpu", "unknown") + ", "
                + info.server().getOrDefault("cores", "?") + " cores";
    }

    /** The name of a study's machine, which may be empty, and the study: {@code NAME=DIR}. */
    private static Path[] labelled(Path input) {
        String text = input.toString();
        int equals = Files.exists(input) ? -1 : text.indexOf('=');
        return new Path[] {Path.of(text.substring(0, Math.max(0, equals))), Path.of(text.substring(equals + 1))};
    }

    private static String continued(Path directory) {
        return "continue it with plog measure or demo, as it began, and --resume " + directory;
    }

    private static Path samplesOf(Path input) throws IOException {
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
            if (Files.isDirectory(samples.resolveSibling(PartFiles.DIRECTORY))) {
                throw new IOException(
                        input + ": the run ended before its trials were put together; " + continued(input));
            }
            throw new IOException(
                    samples + ": there is no such file; the report is rendered from the samples, so they must"
                            + " lie next to " + ResultsFile.RESULTS);
        }
        return samples;
    }
}
