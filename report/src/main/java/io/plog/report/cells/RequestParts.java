package io.plog.report.cells;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.Samples;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the latency of each request of a cell is made of, to the nanosecond: the parts add up to it.
 *
 * <pre>
 * intended      sent                                                                                  reply
 * |-schedule lag-|------------------------------- end to end -------------------------------------------|
 *                |-- (network and client) --|--------------- residence ----------------|-- (the same) --|
 *                                           |- waiting -|- batch wait -|- write -|- force -|- execution -|- reply -|
 * </pre>
 *
 * <p>Execution of a logged request usually runs beside its force and then takes nothing; only what it lasts longer than
 * logging counts. A service whose answers depend on the order executes when the record is durable, so that all of it counts,
 * as without logging.
 */
final class RequestParts {
    /** In the order of time, but for the network, which has a share before and after. */
    static final List<String> NAMES = List.of(
            "schedule lag", "network and client", "waiting", "batch wait", "write", "force", "execution", "reply");

    /** The same where the server's event loop blocks. */
    private static final List<String> NAMES_IF_UNREAD = Stream.concat(
                    Stream.of(NAMES.get(0), Facts.UNREAD_OR_NETWORK),
                    NAMES.stream().skip(2))
            .toList();

    /** The service whose answers depend on the order of requests; docs/protocol.md says when it executes. */
    private static final String ORDERED_SERVICE = "chain";

    /** What a target says that executes nothing beside its force. */
    private static final String AFTER_FORCE = "after the force";

    private final Samples samples;
    private final boolean executesOnPath;
    private final boolean open;
    private final boolean unread;

    /**
     * Reads nothing yet.
     *
     * @param open whether requests had intended times
     * @param unread whether requests may wait unread for an event loop that blocks
     */
    RequestParts(RunInfo.Target target, Samples samples, boolean open, boolean unread) {
        this.samples = samples;
        this.open = open;
        this.unread = unread;
        executesOnPath = Facts.isOff(target)
                || target.facts().getOrDefault("service", "").equals(ORDERED_SERVICE)
                || target.facts().getOrDefault("executes", "").equals(AFTER_FORCE);
    }

    /** What the parts are called. */
    List<String> names() {
        return unread ? NAMES_IF_UNREAD : NAMES;
    }

    /** When the request began: its intended time if there are any, else when it was sent. */
    long beginNanos(int sample) {
        return samples.get(open ? Column.INTENDED : Column.SENT, sample);
    }

    /** When its reply had arrived. */
    long endNanos(int sample) {
        return samples.get(Column.SENT, sample) + samples.get(Column.END_TO_END, sample);
    }

    /** From the beginning to the end. */
    long latencyNanos(int sample) {
        return endNanos(sample) - beginNanos(sample);
    }

    /** The parts, in the order of {@link #NAMES}; their sum is {@link #latencyNanos}. */
    long[] of(int sample) {
        long execution = samples.get(Column.EXECUTION, sample);
        long logging = samples.loggingNanos(sample);
        long residence = samples.get(Column.RESIDENCE, sample);
        long onPath = executesOnPath ? execution : Math.max(0, execution - logging);
        return new long[] {
            samples.get(Column.SENT, sample) - beginNanos(sample),
            samples.get(Column.END_TO_END, sample) - residence,
            samples.get(Column.WAITING, sample),
            samples.get(Column.BATCH_WAIT, sample),
            samples.get(Column.WRITE, sample),
            samples.get(Column.FORCE, sample),
            onPath,
            residence - logging - onPath
        };
    }
}
