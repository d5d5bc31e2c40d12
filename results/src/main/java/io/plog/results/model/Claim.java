package io.plog.results.model;

import io.plog.measure.plan.JsonLabelled;
import io.plog.stats.Estimate;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A published claim and what a run or a study says about it.
 *
 * @param id such as Z1 or R1
 * @param target the target it was tested on; null if it compares several or none could be tested
 * @param source where it was published
 * @param claim what it says
 * @param published the figure that was published; says so if none was
 * @param unit of {@code estimate}
 * @param stableStorage false if an acknowledgement did not mean stable storage where it was tested, so that the figure is one of a
 *     cache
 * @param detail the finding with its figures, in sentences
 * @param estimate the figure that decided, with its 95 % interval; null if it is not one figure
 */
public record Claim(
        String id,
        @Nullable String target,
        String source,
        String claim,
        String published,
        String unit,
        Verdict verdict,
        boolean stableStorage,
        String detail,
        @Nullable Estimate estimate) {

    /** What a text says in place of all claims. */
    public static final String NONE_JUDGED = "The published claims are not judged, because this is not valid.";

    /** The same claim after a run that is not valid: without figures, which are not to be used. */
    public Claim notJudged(List<Check> validity) {
        String failed =
                validity.stream().filter(Check::invalidates).map(Check::id).collect(Collectors.joining(", "));
        return new Claim(
                id,
                target,
                source,
                claim,
                published,
                unit,
                Verdict.NOT_JUDGED,
                stableStorage,
                "Not judged, because this is not valid: see what was found of " + failed + ".",
                null);
    }

    /** What was found about a claim. */
    public enum Verdict implements JsonLabelled {
        /** What was measured agrees with the claim. */
        HOLDS,
        /** What was measured contradicts the claim. */
        FAILS,
        /** The interval reaches over the limit. */
        UNDECIDED,
        /** What the claim is about was not measured. */
        NOT_TESTABLE,
        /** The run is not valid, so it judges nothing. */
        NOT_JUDGED;

        /** Undecided if it neither holds nor fails. */
        public static Verdict of(boolean holds, boolean fails) {
            return holds ? HOLDS : fails ? FAILS : UNDECIDED;
        }
    }
}
