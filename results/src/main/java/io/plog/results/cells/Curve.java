package io.plog.results.cells;

import io.plog.stats.Ecdf;
import io.plog.stats.LogHistogram;
import io.plog.stats.Summary;
import java.util.Arrays;

/**
 * One distribution of a cell, as the figures need it: small, whatever the number of samples.
 *
 * @param measure as {@link FigureData.Drawn} has it
 */
record Curve(String measure, Summary summary, LogHistogram histogram, Ecdf ecdf, TimeSeries series) {
    /** About one knot to a pixel and a half. */
    static final int KNOTS = 400;

    /** Of a study's many curves. */
    static final int STUDY_KNOTS = 200;

    /** Of samples in the order of time, with the time series of these or of some of them. */
    static Curve of(String measure, long[] values, TimeSeries series, int knots) {
        long[] ascending = values.clone();
        Arrays.sort(ascending);
        return new Curve(
                measure, Summary.of(ascending), new LogHistogram(ascending), Ecdf.of(ascending, knots), series);
    }
}
