package io.plog.results.cells;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import java.util.List;

/**
 * The parts of a request's latency, in the order of time, but for the network, which has a share before and after. They add up to the
 * latency, to the nanosecond; every other list of components puts some of them together.
 *
 * <pre>
 * intended      sent                                                                                  reply
 * |-schedule lag-|------------------------------- end to end -------------------------------------------|
 *                |-- (network and client) --|--------------- residence ----------------|-- (the same) --|
 *                                           |- waiting -|- batch wait -|- write -|- force -|- execution -|- reply -|
 * </pre>
 *
 * <p>Execution of a logged request usually runs concurrently with its force and then takes nothing; only what it lasts longer than
 * logging counts. A service whose answers depend on the order executes when the record is durable, so that all of it counts, as
 * without logging.
 */
public enum LatencyPart {
    SCHEDULE_LAG("schedule lag"),
    NETWORK("network and client"),
    WAITING("waiting"),
    BATCH_WAIT("batch wait"),
    WRITE("write"),
    FORCE("force"),
    EXECUTION("execution"),
    REPLY("reply");

    /** What the network's part is called where the server's event loop blocks: requests then wait unread in their sockets. */
    public static final String UNREAD_OR_NETWORK = "unread or network";

    /** The parts of a study's load. */
    public static final List<Group> OF_A_LOAD = List.of(
            NETWORK.alone(),
            WAITING.alone(),
            BATCH_WAIT.alone(),
            WRITE.alone(),
            FORCE.alone(),
            new Group("rest of the server", List.of(EXECUTION, REPLY)));

    /** The components of the published study of workloads. */
    public static final List<Group> OF_A_WORKLOAD = List.of(
            new Group("waiting", List.of(WAITING, BATCH_WAIT)),
            new Group("service", List.of(WRITE, FORCE, EXECUTION, REPLY)),
            new Group("network", List.of(NETWORK)));

    private static final List<LatencyPart> IN_ORDER = List.of(values());

    private final String label;

    LatencyPart(String label) {
        this.label = label;
    }

    /** Some parts under one name. */
    public record Group(String name, List<LatencyPart> parts) {
        /**
         * As in the results.
         *
         * @param unread whether the server's event loop blocks
         */
        public String name(boolean unread) {
            return unread && parts.contains(NETWORK) ? UNREAD_OR_NETWORK : name;
        }

        /** Of one request, from when it was sent. */
        public long nanos(Samples samples, long sample) {
            long[] all = LatencyPart.nanos(samples, sample, samples.get(Column.SENT, sample), false);
            return parts.stream().mapToLong(part -> all[IN_ORDER.indexOf(part)]).sum();
        }
    }

    /** As in the results where the server's event loop does not block. */
    public String label() {
        return label;
    }

    /**
     * As in the results.
     *
     * @param unread whether the server's event loop blocks
     */
    public String label(boolean unread) {
        return alone().name(unread);
    }

    private Group alone() {
        return new Group(label, List.of(this));
    }

    /** As in the results. */
    static List<String> names(boolean unread) {
        return IN_ORDER.stream().map(part -> part.label(unread)).toList();
    }

    /**
     * All parts of one request.
     *
     * @param beginNanos when it began
     * @param executesOnPath whether all of the execution counts
     */
    static long[] nanos(Samples samples, long sample, long beginNanos, boolean executesOnPath) {
        long execution = samples.get(Column.EXECUTION, sample);
        long logging = samples.loggingNanos(sample);
        long residence = samples.get(Column.RESIDENCE, sample);
        long onPath = executesOnPath ? execution : Math.max(0, execution - logging);
        return new long[] {
            samples.get(Column.SENT, sample) - beginNanos,
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
