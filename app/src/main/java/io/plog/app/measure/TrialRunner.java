package io.plog.app.measure;

import io.plog.measure.Experiment;
import io.plog.measure.MeasureOrder;
import io.plog.measure.PlanException;
import io.plog.measure.ProgressListener;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.Trial;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Runs one trial. {@link #stop} may come from any thread, the rest from one. */
interface TrialRunner {
    /**
     * Measures.
     *
     * @param order names the server
     * @param samples created
     * @throws PlanException if the server cannot do what the plan asks for
     * @throws IOException if the server cannot be reached, or the file not written
     */
    RunInfo.End run(MeasureOrder order, Trial trial, Path samples, ProgressListener listener)
            throws IOException, PlanException, InterruptedException;

    /** Ends the trial after the requests under way, or before it begins. */
    void stop();

    /** Measures in this process, for a run of one trial: the process is as fresh as it can be. */
    final class Here implements TrialRunner {
        private @Nullable Experiment experiment;
        private boolean stopped;

        @Override
        public RunInfo.End run(MeasureOrder order, Trial trial, Path samples, ProgressListener listener)
                throws IOException, PlanException {
            try (Experiment opened = Experiment.open(order)) {
                begin(opened);
                return opened.run(samples, trial, listener);
            }
        }

        private synchronized void begin(Experiment opened) {
            experiment = opened;
            if (stopped) {
                opened.stop();
            }
        }

        @Override
        public synchronized void stop() {
            stopped = true;
            if (experiment != null) {
                experiment.stop();
            }
        }
    }
}
