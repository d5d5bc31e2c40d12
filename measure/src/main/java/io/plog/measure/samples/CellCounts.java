package io.plog.measure.samples;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was counted in one trial of a study's cell besides its samples.
 *
 * @param target the cell's number
 * @param trial from 0
 * @param counts by name: those of a load, and of those below what is known
 * @param readyChannels turns of the server's event loops by the number of connections that were ready; empty if it does not say
 */
public record CellCounts(int target, int trial, Map<String, Long> counts, List<Bin> readyChannels) {
    /** Processor time of the server in nanoseconds. */
    public static final String CPU = "cpuNanos";

    /** What an exchange without load takes outside of the server, in nanoseconds. */
    public static final String IDLE_NETWORK = "idleNetworkNanos";

    /** The largest rate that the design keeps, as requests in 1,000 seconds. */
    public static final String CONFIRMED = "confirmed";

    /** One of the counts. */
    public Optional<Long> count(String name) {
        return Optional.ofNullable(counts.get(name));
    }

    /** The same of a cell with another number. */
    public CellCounts ofTarget(int other) {
        return new CellCounts(other, trial, counts, readyChannels);
    }
}
