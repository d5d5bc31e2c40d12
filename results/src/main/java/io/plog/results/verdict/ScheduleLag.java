package io.plog.results.verdict;

/**
 * How late requests were sent, by what the figures are worth then: the same rule for a run with a rate, a load and a study. It is in
 * {@code docs/measurement.md}.
 */
enum ScheduleLag {
    /** Not by a tenth of the median latency, 99 times of 100. */
    IN_TIME,
    /**
     * By more than that, but by less than a tenth of the mean and of the 99th percentile. Where sizes are mixed, handling one large
     * request takes longer than a tenth of the median by itself, which says little of the figures.
     */
    NOTICEABLE,
    /** By so much that it would be measured instead of the server. */
    TOO_MUCH;

    private static final double MOST_LAG = 0.1;

    /** All in one unit. */
    static ScheduleLag of(double lagMean, double lagP99, double mean, double p50, double p99) {
        if (lagMean > MOST_LAG * mean || lagP99 > MOST_LAG * p99) {
            return TOO_MUCH;
        }
        return lagP99 > MOST_LAG * p50 ? NOTICEABLE : IN_TIME;
    }
}
