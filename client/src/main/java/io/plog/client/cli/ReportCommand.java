package io.plog.client.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.client.load.SampleFileException;
import io.plog.client.report.Report;
import io.plog.client.report.Results;
import io.plog.client.report.TerminalSummary;
import io.plog.client.report.figure.FigureFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plog report}: renders the results of a run again, from its samples. */
@Command(
        name = "report",
        description =
                "Renders the results of a run again, from its samples: results.json, report.html and the summary.",
        mixinStandardHelpOptions = true)
public final class ReportCommand implements Callable<Integer> {
    private static final String SAMPLES_FILE = "samples.plog";
    private static final int FAILED = 1;
    private static final int MISUSED = 2;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    private CommandSpec spec;

    @Parameters(
            paramLabel = "RESULTS",
            arity = "1..*",
            description = "A results directory, the results.json or the samples.plog inside it.")
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    private List<Path> inputs;

    @Option(names = "--out", paramLabel = "DIR", description = "Where to write; by default beside the samples.")
    private @Nullable Path out;

    @Option(
            names = "--figures",
            paramLabel = "DIR",
            description = "Also write each figure there as NAME.svg, and what it draws as NAME.csv.")
    private @Nullable Path figures;

    @Option(names = "--force", description = "Replace figures that are there already.")
    private boolean force;

    @Option(names = "--json", description = "Print results.json instead of the summary.")
    private boolean json;

    @Override
    public Integer call() {
        if (inputs.size() > 1) {
            return complain(
                    MISUSED,
                    inputs.size() + " results were given; comparing is not available in this version," + " give one");
        }
        Path input = inputs.get(0);
        try {
            return render(input);
        } catch (Refused e) {
            return complain(FAILED, e.sentence, e);
        } catch (SampleFileException | FigureFiles.InTheWayException e) {
            return complain(FAILED, String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            return complain(
                    FAILED,
                    input + ": " + e.getClass().getSimpleName() + " " + e.getMessage() + "; nothing was rendered",
                    e);
        }
    }

    private int render(Path input) throws IOException, Refused {
        Path samples = samplesOf(input);
        Path parent = samples.toAbsolutePath().getParent();
        Path directory = out != null ? out : parent != null ? parent : samples;
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new Refused("--out " + directory + " is a file, expected a directory");
        }
        Results results =
                figures == null ? Report.write(samples, directory) : Report.write(samples, directory, figures, force);
        spec.commandLine().getOut().print(json ? Report.json(results) : TerminalSummary.of(results));
        spec.commandLine().getOut().flush();
        spec.commandLine().getErr().println("report: " + directory.resolve(Report.HTML_FILE));
        if (figures != null) {
            spec.commandLine().getErr().println("figures: " + figures);
        }
        return 0;
    }

    /** The samples that a results directory, a results.json or a sample file stands for. */
    private static Path samplesOf(Path input) throws IOException, Refused {
        if (!Files.exists(input)) {
            throw new Refused(input + ": there is no such file or directory; expected a results directory, its "
                    + Report.RESULTS_FILE + " or its " + SAMPLES_FILE);
        }
        if (!Files.isDirectory(input) && !input.toString().endsWith(".json")) {
            return input;
        }
        if (!Files.isDirectory(input)) {
            checkResults(input);
        }
        Path samples = Files.isDirectory(input) ? input.resolve(SAMPLES_FILE) : input.resolveSibling(SAMPLES_FILE);
        if (!Files.exists(samples)) {
            throw new Refused(samples + ": there is no such file; the report is rendered from the samples, so they must"
                    + " lie beside " + Report.RESULTS_FILE);
        }
        return samples;
    }

    private static void checkResults(Path file) throws IOException, Refused {
        JsonNode version;
        try {
            version = new ObjectMapper().readTree(file.toFile()).path("schemaVersion");
        } catch (JsonProcessingException e) {
            throw new Refused(file + ": is not JSON; expected the " + Report.RESULTS_FILE + " of a run");
        }
        if (!version.isInt()) {
            throw new Refused(file + ": has no schemaVersion; expected the " + Report.RESULTS_FILE + " of a run");
        }
        if (version.intValue() > Results.SCHEMA_VERSION) {
            throw new Refused(file + ": has schema version " + version.intValue() + ", this plog reads version "
                    + Results.SCHEMA_VERSION + "; use the plog that wrote it or a newer one");
        }
    }

    private int complain(int code, String sentence, Throwable cause) {
        complain(code, sentence);
        Failure.trace(cause, spec.commandLine().getErr());
        return code;
    }

    private int complain(int code, String sentence) {
        spec.commandLine().getErr().println("plog report: " + sentence);
        return code;
    }

    /** An expected failure: one line for the user. */
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1;
        private final String sentence;

        Refused(String sentence) {
            super(sentence, null, false, false);
            this.sentence = sentence;
        }
    }
}
