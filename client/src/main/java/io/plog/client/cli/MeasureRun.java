package io.plog.client.cli;

import io.plog.client.RpcException;
import io.plog.client.load.Experiment;
import io.plog.client.load.HdrLog;
import io.plog.client.load.MeasurePlan;
import io.plog.client.load.PlanException;
import io.plog.client.load.ProgressListener;
import io.plog.client.load.RunInfo;
import io.plog.client.load.SampleCsv;
import io.plog.client.load.SampleFileReader;
import io.plog.client.load.SampleFileWriter;
import io.plog.client.report.Report;
import io.plog.client.report.Results;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A whole run: the experiment, and the files of its results directory made from its samples. What {@code measure} and
 * {@code demo} have in common; prints nothing.
 *
 * <p>For one thread, but for {@link #stop}, which may come from any.
 */
public final class MeasureRun implements Closeable {
    private final Experiment experiment;
    private final Path directory;
    private final boolean force;
    private final boolean csv;

    /**
     * What came of a run.
     *
     * @param directory where its files are
     * @param results what {@code results.json} holds
     * @param end how it ended; partial if it was stopped or the server went away
     */
    public record Outcome(Path directory, Results results, RunInfo.End end) {}

    private MeasureRun(Experiment experiment, Path directory, boolean force, boolean csv) {
        this.experiment = experiment;
        this.directory = directory;
        this.force = force;
        this.csv = csv;
    }

    /**
     * Connects, and checks the plan and the directory, before anything is measured or written.
     *
     * @param directory where the results go; created when the run begins
     * @param force whether results that are there may be replaced
     * @param csv whether all samples are exported as text, too
     * @throws RpcException if the server cannot be reached
     * @throws PlanException if the server cannot do what the plan asks for
     * @throws IOException if the directory holds results or is none
     */
    public static MeasureRun open(MeasurePlan plan, Path directory, boolean force, boolean csv)
            throws IOException, PlanException {
        ResultsDirectory.check(directory, force);
        return new MeasureRun(Experiment.open(plan), directory, force, csv);
    }

    /** What will be measured. */
    public RunInfo info() {
        return experiment.info();
    }

    /** Ends the measuring after the requests under way; {@link #run} then writes what there is, marked as partial. */
    public void stop() {
        experiment.stop();
    }

    /**
     * Measures and writes all files. A server that goes away is no exception: the outcome is partial.
     *
     * @throws IOException if a file cannot be written
     */
    public Outcome run(ProgressListener listener) throws IOException {
        ResultsDirectory.prepare(directory, force);
        Path samples = directory.resolve(SampleFileWriter.FILE_NAME);
        RunInfo.End end = experiment.run(samples, listener);
        experiment.close();
        try (SampleFileReader reader = SampleFileReader.open(samples)) {
            HdrLog.write(reader, directory.resolve(HdrLog.FILE_NAME));
            if (csv) {
                try (Writer out = Files.newBufferedWriter(directory.resolve(ResultsDirectory.CSV_FILE))) {
                    SampleCsv.write(reader, out);
                }
            }
        }
        return new Outcome(directory, Report.write(samples, directory), end);
    }

    /** Closes the connections. */
    @Override
    public void close() {
        experiment.close();
    }
}
