package io.plog.app.measure;

import io.plog.measure.MeasureOrder;
import io.plog.measure.ProgressListener;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.Trial;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The order that a trial's process reads from its standard input, as one line of JSON. Both sides are of the same program file.
 *
 * @param samples the file to write, absolute
 */
record TrialOrder(MeasureOrder order, Trial trial, Path samples) {
    /** The line that lets a process that has warmed up go on. */
    static final String COUNT = "count";

    /** The line that ends it. */
    static final String STOP = "stop";

    /**
     * A line that the process prints: progress; once that it has warmed up; as the last line how the trial ended, or why it could not
     * begin.
     */
    record Line(
            boolean warm,
            ProgressListener.@Nullable Progress progress,
            RunInfo.@Nullable End end,
            @Nullable String refused,
            @Nullable String failed) {}
}
