package io.plog.measure.study;

import io.plog.measure.load.LoadRun;
import io.plog.measure.plan.StudyCell;
import io.plog.measure.samples.Bin;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a cell: its load's, and the server's own counters over all of its load, warm-up included.
 *
 * @param load with the sample file
 * @param cpuNanos processor time of the server; null if it is not known
 * @param idleNetworkNanos what an exchange without load takes outside of the server, in the mean; null if it was not measured
 * @param readyChannels turns of its event loops by the number of connections that were ready; may be empty
 */
public record CellOutcome(
        StudyCell cell,
        LoadRun.Outcome load,
        @Nullable Double cpuNanos,
        @Nullable Double idleNetworkNanos,
        List<Bin> readyChannels) {}
