package io.plog.report.study;

import io.plog.report.results.Claim.Verdict;
import io.plog.report.study.StudyResults.Comparison;
import java.util.Locale;

/**
 * Whether a design's mean, by that of dedicated, is like the published one of the server that waits in the same way. Each design is
 * held against its own published figure. Stateless.
 */
final class FactorRule {
    /** A factor that is at least this part of the published one is like it; a larger one is, too. */
    private static final double LIKE = 0.5;

    private FactorRule() {}

    /** The verdict on one design; for a design that nothing was published of, the least published factor stands in. */
    static Verdict of(Comparison comparison) {
        double limit = LIKE * publishedMean(comparison);
        return StudyEstimates.isAbove(comparison.meanRatio(), limit)
                ? Verdict.HOLDS
                : StudyEstimates.isBelow(comparison.meanRatio(), limit) ? Verdict.FAILS : Verdict.UNDECIDED;
    }

    /** The published figures in words. */
    static String published(Comparison comparison) {
        Double median = comparison.publishedMedianRatio();
        return comparison.publishedMeanRatio() == null || median == null
                ? String.format(Locale.ROOT, "no such pair; at least %.0f", publishedMean(comparison))
                : String.format(Locale.ROOT, "%.1f and %.1f", publishedMean(comparison), median);
    }

    private static double publishedMean(Comparison comparison) {
        Double published = comparison.publishedMeanRatio();
        return published == null ? PublishedServers.LEAST_MEAN_FACTOR : published;
    }
}
