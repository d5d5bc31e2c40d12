package io.plog.results.verdict;

import io.plog.results.model.Claim.Verdict;
import io.plog.stats.Estimate;
import java.util.List;

/**
 * How a verdict follows from intervals, the same for every claim: a limit is kept if the whole 95 % interval lies on its good side,
 * broken if the whole interval lies beyond it, and undecided otherwise. Stateless.
 */
final class VerdictRules {
    private VerdictRules() {}

    static Verdict atMost(Estimate estimate, double limit) {
        return Verdict.of(estimate.isBelow(limit), estimate.isAbove(limit));
    }

    static Verdict atLeast(Estimate estimate, double limit) {
        return Verdict.of(estimate.isAbove(limit), estimate.isBelow(limit));
    }

    /** What comes of a verdict, behind its figures; what is undecided says why. */
    static String said(Verdict verdict, String holds, String fails) {
        return switch (verdict) {
            case HOLDS -> " " + holds;
            case FAILS -> " " + fails;
            default -> " This run is not enough to be sure either way.";
        };
    }

    /** Of a claim about every size: one that fails is enough. */
    static Verdict every(List<Verdict> sizes) {
        if (sizes.contains(Verdict.FAILS)) {
            return Verdict.FAILS;
        }
        return sizes.contains(Verdict.UNDECIDED) ? Verdict.UNDECIDED : Verdict.HOLDS;
    }

    /** Of a claim about some size: one that holds is enough. */
    static Verdict some(List<Verdict> sizes) {
        if (sizes.contains(Verdict.HOLDS)) {
            return Verdict.HOLDS;
        }
        return sizes.contains(Verdict.UNDECIDED) ? Verdict.UNDECIDED : Verdict.FAILS;
    }
}
