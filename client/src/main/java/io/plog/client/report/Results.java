package io.plog.client.report;

import com.fasterxml.jackson.annotation.JsonValue;
import io.plog.client.load.RunInfo;
import io.plog.client.stats.Summary;
import io.plog.client.stats.Tail;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run found: the content of {@code results.json}, field by field. The schema is
 * {@code docs/results.schema.json}, the definitions are in {@code docs/measurement.md}. Times are microseconds.
 *
 * @param schemaVersion version of this layout
 * @param plogVersion version of the client that measured
 * @param startedAt when the run began, ISO-8601 in UTC
 * @param partial whether it is complete
 * @param environment where it ran
 * @param plan what was to be measured
 * @param cells a target and a payload size each, by size and then in the server's order of targets
 * @param components what the mean end-to-end latency of each cell is made of
 * @param overhead each logged cell against the cell of the same size without logging
 * @param claims what the run says about the published claims
 * @param validity what was checked before believing the figures
 */
public record Results(
        int schemaVersion,
        String plogVersion,
        String startedAt,
        Partial partial,
        Environment environment,
        Plan plan,
        List<Cell> cells,
        List<Components> components,
        List<Overhead> overhead,
        List<Claim> claims,
        List<Validity> validity) {

    /** The layout that this version writes. */
    public static final int SCHEMA_VERSION = 1;

    /** Whether the run ended before its plan was done, and why; the reason is empty if it did not. */
    public record Partial(boolean partial, String reason) {}

    /** Facts by name about the client's and the server's machine, and about each target's directory. */
    public record Environment(Map<String, String> client, Map<String, String> server, List<Target> targets) {}

    /**
     * A target.
     *
     * @param stableStorage whether an acknowledgement means that the record is on stable storage
     */
    public record Target(int id, String name, String force, boolean stableStorage, Map<String, String> facts) {}

    /** The plan as in {@link RunInfo.Plan}, and the command that repeats it. */
    public record Plan(
            String command,
            String loadModel,
            List<Integer> sizesBytes,
            List<String> targets,
            long iterations,
            long warmup,
            int blocks,
            int connections,
            double ratePerSecond,
            long seed) {}

    /**
     * The figures of one distribution in microseconds; percentiles by nearest rank.
     *
     * @param sd divided by n - 1
     * @param p999HasUpperBound false if there are too few samples to bound the 99.9th percentile from above
     */
    public record Distribution(
            double mean,
            double sd,
            double min,
            double p5,
            double p25,
            double p50,
            double p75,
            double p95,
            double p99,
            double p999,
            double max,
            boolean p999HasUpperBound) {}

    /**
     * A target and a payload size.
     *
     * @param count counted requests: after the warm-up and answered with OK
     * @param warmup requests before counting began
     * @param failures requests after the warm-up that were not answered with OK
     * @param requestsPerSecond counted requests by the time in which this cell ran
     * @param recordsPerForce mean number of records that shared a force; 0 for {@code off}
     * @param logMicros logging latency (waiting, batch wait, write, force); null for {@code off}
     * @param writeMicros the write alone; null for {@code off}
     * @param forceMicros the force alone; null for {@code off}
     * @param endToEndMicros from sending a request until its reply had arrived; null if nothing was counted
     * @param logShareWithin1000Micros share of requests logged within 1000 µs; null for {@code off}
     * @param endToEndShareWithin10000Micros share of requests answered within 10 ms
     * @param logTail logged requests far above the median; null for {@code off}
     * @param endToEndTail answered requests far above the median
     * @param drift median end-to-end latency of the last third of the requests by that of the first third
     * @param slowest the slowest requests, slowest first
     */
    public record Cell(
            String target,
            String force,
            int payloadBytes,
            long count,
            long warmup,
            long failures,
            double requestsPerSecond,
            double recordsPerForce,
            @Nullable Distribution logMicros,
            @Nullable Distribution writeMicros,
            @Nullable Distribution forceMicros,
            @Nullable Distribution endToEndMicros,
            @Nullable Double logShareWithin1000Micros,
            @Nullable Double endToEndShareWithin10000Micros,
            @Nullable Tail logTail,
            @Nullable Tail endToEndTail,
            @Nullable Double drift,
            List<Slow> slowest) {}

    /**
     * One slow request.
     *
     * @param request which of the cell's counted requests, from 1
     * @param atSeconds when it was sent, since the start of the run
     */
    public record Slow(
            long request,
            double atSeconds,
            double endToEndMicros,
            double logMicros,
            double writeMicros,
            double forceMicros) {}

    /**
     * Where the mean end-to-end latency goes; the parts add up to it.
     *
     * @param executionMicros the execution's mean; for a logged target it runs while the log is forced
     */
    public record Components(
            String target, int payloadBytes, double endToEndMicros, double executionMicros, List<Part> parts) {}

    /** A part: its mean and its share of the mean end-to-end latency, 0 to 1. */
    public record Part(String name, double micros, double share) {}

    /**
     * What logging costs end to end.
     *
     * @param paired whether the interval pairs the blocks of the plan
     * @param verdict Z5 for this size
     */
    public record Overhead(
            String target,
            int payloadBytes,
            double meanMicros,
            double offMeanMicros,
            Ratio ratioOfMeans,
            Ratio ratioOfMedians,
            boolean paired,
            Verdict verdict) {}

    /** A ratio with its 95 % interval. */
    public record Ratio(double ratio, double low, double high) {}

    /**
     * A published claim and what this run says about it.
     *
     * @param id Z1 to Z9
     * @param target the target it was tested on; null if it compares several or none could be tested
     * @param stableStorage false if the target's acknowledgement does not mean stable storage, so that the figure is
     *     one of a cache
     * @param summary the finding in a few words
     * @param detail the finding with its figures
     */
    public record Claim(
            String id,
            @Nullable String target,
            String claim,
            Verdict verdict,
            boolean stableStorage,
            String summary,
            String detail) {}

    /**
     * Something that must be so for the figures to mean what they say.
     *
     * @param ok whether it is so
     * @param severity what it means if it is not
     */
    public record Validity(String id, boolean ok, Severity severity, String detail) {}

    /** What this run says about a claim. */
    public enum Verdict {
        /** What was measured agrees with the claim. */
        HOLDS,
        /** What was measured contradicts the claim. */
        FAILS,
        /** The interval reaches over the limit. */
        UNDECIDED,
        /** The run lacks what the claim is about. */
        NOT_TESTABLE;

        /** As in {@code results.json}: lower case, with a hyphen. */
        @JsonValue
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** What a check that is not ok means. */
    public enum Severity {
        /** Read the figures with care. */
        WARNING,
        /** Don't use them. */
        INVALID;

        /** As in {@code results.json}: lower case. */
        @JsonValue
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Distribution micros(Summary nanos, boolean p999HasUpperBound) {
        return new Distribution(
                Units.micros(nanos.mean()),
                Units.micros(nanos.sd()),
                Units.micros(nanos.min()),
                Units.micros(nanos.p5()),
                Units.micros(nanos.p25()),
                Units.micros(nanos.p50()),
                Units.micros(nanos.p75()),
                Units.micros(nanos.p95()),
                Units.micros(nanos.p99()),
                Units.micros(nanos.p999()),
                Units.micros(nanos.max()),
                p999HasUpperBound);
    }
}
