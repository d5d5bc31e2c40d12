package io.plog.report.compare;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A figure of a distribution that can be compared or held against a limit. */
public enum Statistic {
    /** The arithmetic mean. */
    MEAN("mean", "mean", -1),
    /** The 5th percentile. */
    P5("p5", "5th percentile", 0.05),
    /** The median. */
    P50("p50", "median", 0.5),
    /** The 95th percentile. */
    P95("p95", "95th percentile", 0.95),
    /** The 99th percentile. */
    P99("p99", "99th percentile", 0.99),
    /** The 99.9th percentile. */
    P999("p999", "99.9th percentile", 0.999),
    /** The largest sample; no interval can be given for it. */
    MAX("max", "maximum", 1);

    /** The statistics that a comparison shows and judges: the middle, the sum and the tail. */
    static final List<Statistic> COMPARED = List.of(MEAN, P50, P99);

    private final String label;
    private final String words;
    private final double q;

    Statistic(String label, String words, double q) {
        this.label = label;
        this.words = words;
        this.q = q;
    }

    /** As in gates and in JSON. */
    @JsonValue
    public String label() {
        return label;
    }

    String words() {
        return words;
    }

    /** Whether it is a quantile that can have an interval. */
    boolean isQuantile() {
        return q > 0 && q < 1;
    }

    /** Which quantile; only if it is one. */
    double q() {
        return q;
    }

    /** The figure of this name. */
    static Optional<Statistic> of(String label) {
        return Arrays.stream(values())
                .filter(figure -> figure.label.equals(label))
                .findFirst();
    }

    static List<String> labels() {
        return Arrays.stream(values()).map(Statistic::label).toList();
    }
}
