package io.plog.report.study;

import io.plog.report.results.ResultsFile;
import io.plog.report.results.ResultsJson;
import java.io.IOException;
import java.nio.file.Path;

/** A study's results as a file. Stateless; safe for any thread. */
public final class StudyFile {
    /** Its name in a study's directory. */
    public static final String NAME = "study.json";

    private static final ResultsFile<StudyResults> FILE =
            new ResultsFile<>(NAME, "study", StudyResults.SCHEMA_VERSION, StudyResults.class);

    private StudyFile() {}

    /** The results as JSON, laid out over lines. */
    public static String json(StudyResults results) {
        return ResultsJson.pretty(results);
    }

    /**
     * Writes them, as {@link ResultsFile#write}.
     *
     * @throws IOException if it cannot be written
     */
    public static void write(StudyResults results, Path directory) throws IOException {
        FILE.write(results, directory);
    }

    /**
     * Reads them, as {@link ResultsFile#read}.
     *
     * @param study a study's directory, or the file itself
     * @throws IOException if it can't be read, or is no study that this program can read
     */
    public static StudyResults read(Path study) throws IOException {
        return FILE.read(study);
    }
}
