package io.plog.app.report;

import io.plog.measure.samples.SampleFileWriter;
import io.plog.results.model.Results;
import io.plog.results.model.ResultsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Finds the samples that a results directory, a results.json or a sample file stands for. */
final class ReportInput {
    private static final String SAMPLES_FILE = SampleFileWriter.FILE_NAME;

    private ReportInput() {}

    static Path samplesOf(Path input) throws IOException {
        if (!Files.exists(input)) {
            throw refused(input + ": there is no such file or directory; expected a results directory, its "
                    + ResultsFile.RESULTS + " or its " + SAMPLES_FILE);
        }
        if (!Files.isDirectory(input) && !input.toString().endsWith(".json")) {
            return input;
        }
        if (!Files.isDirectory(input)) {
            ResultsFile.checkVersion(
                    input,
                    Stream.of(Results.Kind.values()).map(Results.Kind::label).toList(),
                    Results.SCHEMA_VERSION);
        }
        Path samples = Files.isDirectory(input) ? input.resolve(SAMPLES_FILE) : input.resolveSibling(SAMPLES_FILE);
        if (!Files.exists(samples)) {
            throw refused(samples + ": there is no such file; the report is rendered from the samples, so they must"
                    + " lie next to " + ResultsFile.RESULTS);
        }
        return samples;
    }

    private static IOException refused(String sentence) {
        return new IOException(sentence);
    }
}
