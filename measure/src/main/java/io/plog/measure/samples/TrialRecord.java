package io.plog.measure.samples;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.measure.plan.JsonLabelled;
import io.plog.measure.plan.StudyDesign;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is known of one trial of a target besides its samples. A trial has any number of them.
 *
 * <p>{@code docs/sample-format.md} names them.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "of")
@JsonSubTypes({
    @JsonSubTypes.Type(value = TrialRecord.LoadCounts.class, name = "load"),
    @JsonSubTypes.Type(value = TrialRecord.NeighbourOperations.class, name = "neighbour"),
    @JsonSubTypes.Type(value = TrialRecord.ServerDesign.class, name = "server design"),
    @JsonSubTypes.Type(value = TrialRecord.ServerCpu.class, name = "server cpu"),
    @JsonSubTypes.Type(value = TrialRecord.IdleNetwork.class, name = "idle network"),
    @JsonSubTypes.Type(value = TrialRecord.ConfirmedRate.class, name = "confirmed rate"),
    @JsonSubTypes.Type(value = TrialRecord.ReadyChannels.class, name = "ready channels"),
    @JsonSubTypes.Type(value = TrialRecord.FilledRate.class, name = "filled rate"),
    @JsonSubTypes.Type(value = TrialRecord.Recovered.class, name = "recovered"),
    @JsonSubTypes.Type(value = TrialRecord.TriedRate.class, name = "tried rate"),
    @JsonSubTypes.Type(value = TrialRecord.SearchLoad.class, name = "search"),
    @JsonSubTypes.Type(value = TrialRecord.Interrupted.class, name = "interrupted"),
    @JsonSubTypes.Type(value = TrialRecord.Repeated.class, name = "repeated"),
    @JsonSubTypes.Type(value = TrialRecord.Failed.class, name = "failed")
})
public sealed interface TrialRecord {
    /** The target's number in its file. */
    int targetId();

    /** From 0. */
    int trial();

    /** The same of a target that has this number in another file. */
    default TrialRecord of(int otherTarget) {
        ObjectNode tree = SampleFormat.JSON.valueToTree(this);
        return SampleFormat.JSON.convertValue(tree.put("targetId", otherTarget), TrialRecord.class);
    }

    /** Those of a kind, of all trials of a target. */
    static <T extends TrialRecord> Stream<T> of(List<TrialRecord> all, Class<T> kind, int targetId) {
        return all.stream().filter(kind::isInstance).map(kind::cast).filter(each -> each.targetId() == targetId);
    }

    /** Those of a kind, of one trial. */
    static <T extends TrialRecord> Stream<T> of(List<TrialRecord> all, Class<T> kind, int targetId, int trial) {
        return of(all, kind, targetId).filter(each -> each.trial() == trial);
    }

    /**
     * What a load counted.
     *
     * @param mostOutstanding the most requests that were ever due or under way, warm-up included
     * @param connectionsMade over the whole load
     * @param connectionsFailed attempts that came to nothing, after the load had begun
     * @param connectionsLost connections that ended by themselves
     */
    record LoadCounts(
            int targetId,
            int trial,
            long mostOutstanding,
            long connectionsMade,
            long connectionsFailed,
            long connectionsLost)
            implements TrialRecord {
        /** The same of another trial. */
        public LoadCounts of(int otherTarget, int otherTrial) {
            return new LoadCounts(
                    otherTarget, otherTrial, mostOutstanding, connectionsMade, connectionsFailed, connectionsLost);
        }

        /** Of both together, one after the other. */
        public LoadCounts then(LoadCounts next) {
            return new LoadCounts(
                    targetId,
                    trial,
                    Math.max(mostOutstanding, next.mostOutstanding),
                    connectionsMade + next.connectionsMade,
                    connectionsFailed + next.connectionsFailed,
                    connectionsLost + next.connectionsLost);
        }

        /** Of both together, which ran at the same time. */
        public LoadCounts plus(LoadCounts other) {
            return new LoadCounts(
                    targetId,
                    trial,
                    mostOutstanding + other.mostOutstanding,
                    connectionsMade + other.connectionsMade,
                    connectionsFailed + other.connectionsFailed,
                    connectionsLost + other.connectionsLost);
        }
    }

    /** How many operations the neighbour of a directory's cell did while that was measured. */
    record NeighbourOperations(int targetId, int trial, int payloadBytes, long operations) implements TrialRecord {}

    /** The design that a trial's server said it had. */
    record ServerDesign(int targetId, int trial, StudyDesign design) implements TrialRecord {}

    /** Processor time of a trial's server. */
    record ServerCpu(int targetId, int trial, double nanos) implements TrialRecord {}

    /** What an exchange without load takes outside of a trial's server, in the mean. */
    record IdleNetwork(int targetId, int trial, double nanos) implements TrialRecord {}

    /** The largest rate that a design was seen to keep in a trial. */
    record ConfirmedRate(int targetId, int trial, double requestsPerSecond) implements TrialRecord {}

    /** The last rate of the search for that, if none was seen to be kept: what others are shares of. */
    record TriedRate(int targetId, int trial, double requestsPerSecond) implements TrialRecord {}

    /**
     * A load of a search for the largest rate that keeps a condition; in their order.
     *
     * @param confirming whether it was a long one, which decides
     * @param why it did not keep its rate; empty if it did
     * @param last whether the search was over with it
     */
    record SearchLoad(
            int targetId,
            int trial,
            String condition,
            double requestsPerSecond,
            boolean confirming,
            RateAnswer answer,
            List<SearchLatency> latencies,
            String why,
            boolean last)
            implements TrialRecord {}

    /** A figure of that, as gates name it, with both ends of its interval; with none if the samples do not bound it. */
    record SearchLatency(String figure, String cell, double limitMicros, double micros, List<Double> interval) {}

    /** What a load said of its rate, what weighs most first; {@code CLIENT} if that was too late, so that nothing is known of the server. */
    enum RateAnswer implements JsonLabelled {
        CLIENT,
        MISSED,
        UNDECIDED,
        KEPT
    }

    /** Turns of a server's event loops by the number of connections that had something to read. */
    record ReadyChannels(int targetId, int trial, List<Bin> bins) implements TrialRecord {
        /** Copies the list. */
        public ReadyChannels {
            bins = List.copyOf(bins);
        }
    }

    /** At which rate a log was filled, before its server was killed for the first time. */
    record FilledRate(int targetId, int trial, double requestsPerSecond) implements TrialRecord {}

    /**
     * How a new server came back after a kill. The trial's sample has the time until its first answer, of which these are parts.
     *
     * @param startNanos of its process, and of whatever is neither of the others
     * @param openNanos of its log, with the reserve
     * @param replayNanos executing again what no checkpoint holds
     * @param inLog records that the log had
     * @param replayed those of them that were executed again
     * @param discarded requests that were sent again and were in the log already
     */
    record Recovered(
            int targetId,
            int trial,
            long startNanos,
            long openNanos,
            long replayNanos,
            long inLog,
            long replayed,
            long discarded)
            implements TrialRecord {}

    /**
     * The run was interrupted and went on.
     *
     * @param targetId any of the run's
     * @param trial in which that was
     * @param at when the last was written, ISO-8601 in UTC
     * @param pauseSeconds until it went on
     */
    record Interrupted(int targetId, int trial, String at, double pauseSeconds) implements TrialRecord {}

    /** A trial that was measured again, and why, in a sentence that names it. */
    record Repeated(int targetId, int trial, String why) implements TrialRecord {}

    /** A trial that came to nothing, and why, in a sentence that names it. */
    record Failed(int targetId, int trial, String why) implements TrialRecord {}
}
