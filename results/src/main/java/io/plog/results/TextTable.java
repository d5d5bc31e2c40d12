package io.plog.results;

import io.plog.results.model.Results.Distribution;
import io.plog.results.model.Results.Interval;
import io.plog.results.model.Results.Quantile;
import io.plog.stats.Percentile;
import io.plog.stats.text.Micros;
import java.util.Locale;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/** Writes rows of a table for a terminal: dimensions on the left, figures on the right, one blank between columns. */
final class TextTable {
    private static final String NONE = "-";

    private final StringBuilder text;
    private final int[] widths;

    /**
     * A table whose rows are appended to a text.
     *
     * @param widths of the columns; below 0 for one whose texts begin at its left
     */
    TextTable(StringBuilder text, int... widths) {
        this.text = text;
        this.widths = widths.clone();
    }

    /** Appends a row of at most as many cells as there are columns. */
    TextTable row(Object... cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.length; i++) {
            line.append(i == 0 ? "" : " ").append(String.format(Locale.ROOT, "%" + widths[i] + "s", cells[i]));
        }
        text.append(line.toString().stripTrailing()).append('\n');
        return this;
    }

    /** A figure of a distribution, or that there is none. */
    static String figure(@Nullable Distribution distribution, DoubleFunction<String> words, Figure figure) {
        return distribution == null ? NONE : words.apply(figure.of(distribution));
    }

    /** Which figure. */
    interface Figure {
        double of(Distribution distribution);
    }

    /** A quantile in few characters, marked if the samples do not bound it, so that it is little more than the largest. */
    static String bounded(@Nullable Distribution distribution, Percentile percentile) {
        if (distribution == null) {
            return NONE;
        }
        Quantile quantile = distribution.at(percentile);
        return Micros.narrow(quantile.micros()) + (quantile.interval().high() == null ? "*" : "");
    }

    /** The interval of a quantile in few characters. */
    static String interval(@Nullable Distribution distribution, Percentile percentile) {
        if (distribution == null) {
            return NONE;
        }
        Interval interval = distribution.at(percentile).interval();
        return end(interval.low()) + ".." + end(interval.high());
    }

    private static String end(@Nullable Double micros) {
        return micros == null ? "?" : Micros.narrow(micros);
    }
}
