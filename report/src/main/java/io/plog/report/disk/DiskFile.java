package io.plog.report.disk;

import io.plog.report.results.ResultsFile;
import java.io.IOException;
import java.nio.file.Path;

/** The results of {@code plog disk} as a file. Stateless; safe for any thread. */
public final class DiskFile {
    /** Its name in a results directory. */
    public static final String NAME = "disk.json";

    private static final ResultsFile<DiskResults> FILE =
            new ResultsFile<>(NAME, DiskResults.KIND, DiskResults.SCHEMA_VERSION, DiskResults.class);

    private DiskFile() {}

    /**
     * Writes them, as {@link ResultsFile#write}.
     *
     * @throws IOException if it cannot be written
     */
    public static void write(DiskResults results, Path directory) throws IOException {
        FILE.write(results, directory);
    }

    /**
     * Reads them, as {@link ResultsFile#read}.
     *
     * @throws IOException if it can't be read, or holds no results that this program can read
     */
    public static DiskResults read(Path file) throws IOException {
        return FILE.read(file);
    }
}
