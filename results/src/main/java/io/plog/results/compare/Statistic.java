package io.plog.results.compare;

import com.fasterxml.jackson.annotation.JsonValue;
import io.plog.stats.Comparison;
import io.plog.stats.Estimate;
import io.plog.stats.Estimates;
import io.plog.stats.Moments;
import io.plog.stats.Percentile;
import io.plog.stats.Quantiles;
import io.plog.stats.Replicates;
import io.plog.stats.numbers.Longs;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A figure of a distribution that can be compared or held against a limit: its mean, its maximum, or a {@link Percentile}.
 *
 * @param label as in gates and in JSON
 * @param words in sentences
 */
public record Statistic(
        @JsonValue String label, String words, @Nullable Percentile percentile) {
    public static final Statistic MEAN = new Statistic("mean", "mean", null);

    public static final Statistic P50 = of(Percentile.P50);

    public static final Statistic P99 = of(Percentile.P99);

    /** The largest sample; no interval can be given for it. */
    public static final Statistic MAX = new Statistic("max", "maximum", null);

    static final List<Statistic> ALL = Stream.of(
                    Stream.of(MEAN), Stream.of(Percentile.values()).map(Statistic::of), Stream.of(MAX))
            .flatMap(part -> part)
            .toList();

    /** The statistics that a comparison shows and judges: the middle, the sum and the tail. */
    static final List<Statistic> COMPARED = List.of(MEAN, P50, P99);

    private static Statistic of(Percentile percentile) {
        return new Statistic(percentile.label(), percentile.words(), percentile);
    }

    /** Whether it is a quantile that can have an interval. */
    boolean isQuantile() {
        return percentile != null;
    }

    /** Which quantile; only if it is one. */
    double q() {
        return Objects.requireNonNull(percentile).q();
    }

    /** Of one cell, in nanoseconds. */
    double value(Replicates cell) {
        Longs ascending = cell.ascending();
        return isQuantile() ? Quantiles.of(ascending, q()) : equals(MEAN) ? Moments.mean(ascending) : ascending.last();
    }

    /** The same with its interval; the maximum has none. */
    Estimate estimate(Replicates cell) {
        if (isQuantile()) {
            return Estimates.of(cell).quantile(q());
        }
        return equals(MEAN) ? Estimates.of(cell).mean() : Estimate.unbounded(value(cell));
    }

    /** That of the treated by that of the control; the maximum's has no interval. */
    Estimate ratio(Comparison cells) {
        if (isQuantile()) {
            return cells.ratioOfQuantiles(q());
        }
        return equals(MEAN)
                ? cells.ratioOfMeans()
                : Estimate.unbounded(value(cells.treated()) / value(cells.control()));
    }

    static List<String> labels() {
        return ALL.stream().map(Statistic::label).toList();
    }
}
