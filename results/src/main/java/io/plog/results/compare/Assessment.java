package io.plog.results.compare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.plog.measure.plan.JsonLabelled;
import io.plog.stats.Estimate;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of comparing a run with a baseline, and of its gates: the content of {@code comparison.json}, field by field. The
 * schema is {@code docs/comparison.schema.json}. Times are microseconds. A is the baseline, B the run.
 *
 * @param schemaVersion version of this layout
 * @param a the baseline; null if there is none, and gates hold the run against fixed limits only
 * @param b the run
 * @param paired whether A and B are two targets of one run, so that partners ran side by side
 * @param anyway whether it was compared although something forbids it
 * @param differences what else differs, what forbids a comparison first
 * @param cells what was compared; empty without a baseline
 * @param sentence what the comparison says as a whole; empty without a baseline
 * @param gates what came of each gate in each cell
 * @param strict whether an undecided gate counts as failed
 */
public record Assessment(
        int schemaVersion,
        @Nullable Side a,
        Side b,
        boolean paired,
        boolean anyway,
        List<Difference> differences,
        List<Cell> cells,
        String sentence,
        List<Gated> gates,
        boolean strict) {

    /** The layout that this version writes. */
    public static final int SCHEMA_VERSION = 1;

    /**
     * A run.
     *
     * @param path as it was given
     * @param partial why it is partial; null if it is complete
     * @param invalid why its figures must not be used, each reason a sentence; empty if they may
     * @param place the server's machine and disks, as the line under a figure names them; not in the JSON, which names what differs
     */
    public record Side(
            String path,
            String startedAt,
            String plogVersion,
            String command,
            int trials,
            @Nullable String partial,
            List<String> invalid,
            @JsonIgnore String place) {}

    /**
     * Something that differs.
     *
     * @param forbids whether figures of the two do not belong together
     */
    public record Difference(String what, String a, String b, boolean forbids) {}

    /**
     * A cell of both.
     *
     * @param targetA name of the target in A
     * @param targetB name of the target in B
     * @param dimensions what else distinguishes a directory's cell from others; empty for a target of a server
     * @param superiority the probability that a request of B takes longer than one of A; 0.5 if neither tends to
     * @param sentence what was found, for a reader who knows no statistics
     */
    public record Cell(
            String targetA,
            String targetB,
            int payloadBytes,
            Map<String, String> dimensions,
            Measure measure,
            long countA,
            long countB,
            List<Row> figures,
            double superiority,
            String sentence) {
        /** Its targets and what else distinguishes it from cells of its size; in the JSON for the page. */
        @JsonProperty(access = JsonProperty.Access.READ_ONLY)
        public String name() {
            String names = new TargetPair.Names(targetA, targetB).words();
            return dimensions.isEmpty() ? names : String.join(" ", dimensions.values()) + ", " + names;
        }
    }

    /**
     * One figure of both.
     *
     * @param ratio B by A with its own 95 % interval
     * @param differenceMicros B minus A with its own 95 % interval
     * @param jointRatio B by A; all joint intervals of a comparison hold together with 95 %
     * @param jointDifferenceMicros B minus A, likewise
     */
    public record Row(
            Statistic figure,
            double aMicros,
            double bMicros,
            Estimate ratio,
            Estimate differenceMicros,
            Estimate jointRatio,
            Estimate jointDifferenceMicros,
            Verdict verdict) {}

    /**
     * A gate in one cell.
     *
     * @param gate as it was given
     * @param dimensions what distinguishes the cell from others
     * @param value the figure, times in microseconds, with its 95 % interval; null if there is none
     * @param baseline the baseline's figure; null if the gate's limit is not relative to it
     * @param ratio run by baseline with its 95 % interval; null if the gate's limit is not relative
     * @param limit what the figure was held against
     * @param detail what was found, in a sentence
     */
    public record Gated(
            String gate,
            Map<String, String> dimensions,
            String figure,
            @Nullable Estimate value,
            @Nullable Double baseline,
            @Nullable Estimate ratio,
            @Nullable Double limit,
            Outcome outcome,
            String detail) {
        /** An interval of 98.3 % by one of 95 %, so that three looks together err in 5 % (Bonferroni), on a scale of ratios. */
        private static final double WIDER = 2.394 / 1.960;

        boolean isDecidedAtALook() {
            if (value == null || limit == null || value.low() == null || value.high() == null || !(value.low() > 0)) {
                return outcome != Outcome.UNDECIDED;
            }
            double low = value.value() * Math.pow(value.low() / value.value(), WIDER);
            double high = value.value() * Math.pow(value.high() / value.value(), WIDER);
            return limit < low || limit > high;
        }

        /** The name of its cell in a sentence; in the JSON for the page. */
        @JsonProperty(access = JsonProperty.Access.READ_ONLY)
        public String cell() {
            return MeasuredCell.name(dimensions);
        }
    }

    /** What a comparison says of a figure. */
    public enum Verdict implements JsonLabelled {
        /** B takes longer. */
        LONGER,
        /** B takes less time. */
        SHORTER,
        /** No difference can be seen. */
        NO_DIFFERENCE,
        /** Too few samples to bound the figure. */
        TOO_FEW_SAMPLES;
    }

    /** What came of a gate. */
    public enum Outcome implements JsonLabelled {
        /** The figure is within the limit. */
        HOLDS,
        /** The figure and its whole interval are beyond the limit. */
        FAILS,
        /** The figure is beyond the limit and its interval is not, or there are too few samples to decide. */
        UNDECIDED;
    }

    /** Whether a gate failed; an undecided one does if that was asked for. */
    public boolean failed() {
        return gates.stream().anyMatch(this::failed);
    }

    /** Whether no gate is undecided, nor would be at the level of one of three looks. */
    public boolean allDecided() {
        return gates.stream().allMatch(Gated::isDecidedAtALook);
    }

    boolean failed(Gated gate) {
        return gate.outcome == Outcome.FAILS || (strict && gate.outcome == Outcome.UNDECIDED);
    }

    /** Why a run's figures must not be used, for the first that says so; empty if all may. */
    public String invalid() {
        for (Side side : a == null ? List.of(b) : List.of(b, a)) {
            if (!side.invalid.isEmpty()) {
                return side.path + ": " + side.invalid.get(0);
            }
        }
        return "";
    }
}
