package io.plog.study;

import io.plog.measure.load.LoadSummary;

/** How late a cell's client was, by what its figures are worth; the rule is in {@code docs/measurement.md}. */
enum ClientLateness {
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

    /** That of a load; in time, if it has no times or nothing was answered. */
    static ClientLateness of(LoadSummary summary) {
        LoadSummary.Times latency = summary.latency();
        LoadSummary.Times lag = summary.lag();
        if (latency == null || lag == null) {
            return IN_TIME;
        }
        if (lag.mean() > MOST_LAG * latency.mean() || lag.p99() > MOST_LAG * latency.p99()) {
            return TOO_MUCH;
        }
        return lag.p99() > MOST_LAG * latency.p50() ? NOTICEABLE : IN_TIME;
    }
}
