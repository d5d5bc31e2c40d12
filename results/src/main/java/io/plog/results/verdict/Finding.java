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
        Verdict verdict, String detail, @Nullable Estimate estimate) {
    /** Where no one figure decides. */
    public static Finding of(Verdict verdict, String detail) {
        return new Finding(verdict, detail, null);
    }

    /**
     * It would need another run.
     *
     * @param why a sentence without its full stop
     */
    static Finding untested(String why) {
        return of(Verdict.NOT_TESTABLE, "This run cannot test it: " + why + ".");
    }
}
