package io.plog.results.verdict;

import io.plog.results.model.Claim.Verdict;
import io.plog.stats.Estimate;
import org.jspecify.annotations.Nullable;

/**
 * What the rule of a published claim found. The fields are those of {@link io.plog.results.model.Claim}.
 *
 * @param estimate not rounded
 */
public record Finding(
        Verdict verdict,
        String summary,
        String detail,
        @Nullable Estimate estimate,
        String sentence) {
    /** Where the detail says all. */
    public static Finding of(Verdict verdict, String detail) {
        return new Finding(verdict, "", detail, null, "");
    }

    /**
     * It would need another run.
     *
     * @param what the run would have to have, as the end of "it needs ..."
     */
    static Finding needs(String what) {
        return untested("needs " + what, "it needs " + what);
    }

    /**
     * This run has no cells for it.
     *
     * @param why a sentence without its full stop
     */
    static Finding notMeasured(String why) {
        return untested(why, why);
    }

    private static Finding untested(String needs, String sentence) {
        return new Finding(
                Verdict.NOT_TESTABLE,
                needs,
                "Not testable with this run: " + needs + ".",
                null,
                "This run cannot test it: " + sentence + ".");
    }
}
