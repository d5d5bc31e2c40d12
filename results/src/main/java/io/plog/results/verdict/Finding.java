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
     * About several things, which holds if it does for all of them.
     *
     * @param broken whether it fails for one
     * @param detail what was found of each
     * @param unlike what is said besides if it does not hold
     */
    public static Finding ofEach(boolean all, boolean broken, String detail, String unlike) {
        return of(Verdict.of(all, broken), detail + "." + (all ? "" : " " + unlike));
    }

    /** The same with more to say. */
    public Finding and(String more) {
        return new Finding(verdict, detail + more, estimate);
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
