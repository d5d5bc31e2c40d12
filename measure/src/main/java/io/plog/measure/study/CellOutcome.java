package io.plog.measure.study;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of a cell: its samples, and what the server's own counters said of the stretch that counts.
 *
 * @param samples the sample file
 * @param cpuNanos processor time of the server; null if it is not known
 * @param readyChannels turns of its event loops by the number of connections that were ready; may be empty
 */
public record CellOutcome(
        StudyCell cell, Path samples, @Nullable Double cpuNanos, List<Bin> readyChannels) {}
