package io.plog.results.cells;

import io.plog.stats.Ecdf;
import io.plog.stats.LogHistogram;
import io.plog.stats.Summary;

/** One distribution of a cell, as the figures need it: small, whatever the number of samples. */
record Curve(Measure measure, Summary summary, LogHistogram histogram, Ecdf ecdf, TimeSeries series) {
    /** About one knot to a pixel and a half. */
    static final int KNOTS = 400;

    /** Of a study's many curves. */
    static final int STUDY_KNOTS = 200;

    enum Measure {
        LOGGING,
        END_TO_END,
        WRITE,
        FORCE
    }

    /** Of samples in the order of time, when they were, and the same in ascending order. */
    static Curve of(Measure measure, long[] series, TimeSeries.Timing timing, long[] ascending, int knots) {
        return new Curve(
                measure,
                Summary.of(ascending),
                new LogHistogram(series),
                Ecdf.of(ascending, knots),
                TimeSeries.of(series, timing));
    }
}
