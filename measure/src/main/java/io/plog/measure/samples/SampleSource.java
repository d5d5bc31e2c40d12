package io.plog.measure.samples;

import java.io.IOException;
import java.util.List;

/** Where the report gets a run from: a sample file, or a test's own samples. Used by one thread. */
public interface SampleSource {
    /** What the run was. */
    RunInfo info();

    /** How it ended; of a recording that stops before the run does, where: partial, without a length or counts. */
    RunInfo.End end();

    /** Whether the recording stops before the run does. */
    default boolean isCut() {
        return false;
    }

    /**
     * What each side recorded besides the samples of each trial; none if nothing was.
     *
     * @throws SampleFileException if it cannot be decoded
     */
    default List<SideEvents> events() throws IOException {
        return List.of();
    }

    /**
     * All samples of one cell, warm-up included, in the order in which they were sent.
     *
     * @param target one of {@link #info}
     * @param payloadBytes payload size
     * @return no samples if the cell was never begun
     * @throws SampleFileException if they cannot be decoded
     */
    Samples samples(RunInfo.Target target, int payloadBytes) throws IOException;
}
