package io.plog.app.measure;

import io.plog.app.cli.ResultsDirectory;
import io.plog.measure.PlanException;
import io.plog.measure.load.LoadListener;
import io.plog.measure.load.LoadPlan;
import io.plog.measure.load.LoadRun;
import io.plog.measure.samples.HdrLog;
import io.plog.measure.samples.SampleCsv;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.report.Report;
import io.plog.report.results.Results;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/** A load and the files of its results directory. Prints nothing. For one thread, but for {@link #stop}. */
final class LoadCommandRun {
    private final Path directory;
    private final boolean csv;
    private final LoadRun run;

    private LoadCommandRun(LoadRun run, Path directory, boolean csv) {
        this.run = run;
        this.directory = directory;
        this.csv = csv;
    }

    /**
     * Checks the load against the server.
     *
     * @throws PlanException if it cannot take it
     * @throws IOException if it cannot be reached
     */
    static LoadCommandRun open(LoadPlan plan, Path directory, boolean csv) throws IOException, PlanException {
        return new LoadCommandRun(LoadRun.open(plan), directory, csv);
    }

    /** Ends the load early. */
    void stop() {
        run.stop();
    }

    /** Runs the load and writes all files. */
    Results run(boolean force, LoadListener listener) throws IOException, PlanException {
        ResultsDirectory.prepare(directory, force);
        run.run(directory.resolve(SampleFileWriter.FILE_NAME), listener);
        return files(directory, csv);
    }

    /** Makes the files of a results directory from its samples. */
    static Results files(Path directory, boolean csv) throws IOException {
        Path samples = directory.resolve(SampleFileWriter.FILE_NAME);
        try (SampleFileReader reader = SampleFileReader.open(samples)) {
            HdrLog.write(reader, directory.resolve(HdrLog.FILE_NAME));
            if (csv) {
                try (Writer out = Files.newBufferedWriter(directory.resolve(ResultsDirectory.CSV_FILE))) {
                    SampleCsv.write(reader, out);
                }
            }
        }
        return Report.write(samples, directory);
    }
}
