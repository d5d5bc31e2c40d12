package io.plog.measure.samples;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.plog.host.ClientFacts;
import io.plog.measure.plan.Designs;
import io.plog.measure.plan.Directories;
import io.plog.measure.plan.Plan;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What a run was, apart from its samples. It stands as JSON at the beginning of the sample file, and goes into
 * {@code results.json} as {@code plan} and {@code environment}.
 *
 * @param plogVersion version of the client that measured
 * @param startedAt when it began; ISO-8601 in UTC in the file
 * @param command the command line that repeats it
 * @param plan what was to be measured
 * @param client facts about the client's machine and JVM, by name
 * @param server facts about the server's machine and JVM, as it reported them
 * @param targets the targets measured, in the server's order
 */
public record RunInfo(
        String plogVersion,

        @JsonSerialize(using = ToStringSerializer.class) @JsonDeserialize(using = SampleFormat.Times.class)
        Instant startedAt,

        String command,
        Plan plan,
        Map<String, String> client,
        Map<String, String> server,
        List<Target> targets) {

    /** Whether it measured appends to directories, rather than requests to a server. */
    @JsonIgnore
    public boolean isOfDisks() {
        return plan instanceof Directories;
    }

    /** Whether it is a study: its targets are designs, each under the load that its dimensions name. */
    @JsonIgnore
    public boolean isStudy() {
        return plan instanceof Designs;
    }

    /** Whether client and server had the same processors: over the loopback, or in containers of one machine, with one kernel. */
    @JsonIgnore
    public boolean isOneMachine() {
        String boot = client.get("boot");
        return ClientFacts.isOverLoopback(client) || (boot != null && boot.equals(server.get("boot")));
    }

    /** The same with another beginning. */
    public RunInfo startedAt(Instant when) {
        return new RunInfo(plogVersion, when, command, plan, client, server, targets);
    }

    /**
     * A target as the server described it, or the cells of a directory that are distinguished by size alone.
     *
     * @param id its number in the protocol, or any that no other has
     * @param name its name; a directory's cells share that of the directory
     * @param force the label of its way of forcing
     * @param facts about its directory: file system, device and so on; empty for {@code off}
     * @param dimensions what else distinguishes it from others of its name, by dimension
     */
    public record Target(int id, String name, String force, Map<String, String> facts, Map<String, String> dimensions) {
        /** How many appends of a directory's cell share a force. */
        public static final String APPENDS = "appends";

        /** What kind of file a directory's cell is written to. */
        public static final String FILE = "file";

        /** Who else uses a directory's disk meanwhile. */
        public static final String NEIGHBOUR = "neighbour";

        /** A target whose name alone distinguishes it. */
        public Target(int id, String name, String force, Map<String, String> facts) {
            this(id, name, force, facts, Map.of());
        }

        /** What the label of its way of forcing says. */
        public ForceLabel forceLabel() {
            return new ForceLabel(force);
        }
    }

    /**
     * How a run ended; the last thing in the sample file.
     *
     * @param partial whether it ended before the plan was done
     * @param reason why, in a sentence; empty if it is complete
     * @param wallNanos how long it took, warm-up included
     * @param trials what is known of trials besides their samples
     */
    public record End(boolean partial, String reason, long wallNanos, List<TrialRecord> trials) {
        /** Copies the list. */
        public End {
            trials = List.copyOf(trials);
        }

        /** An end without more. */
        public End(boolean partial, String reason, long wallNanos) {
            this(partial, reason, wallNanos, List.of());
        }
    }
}
