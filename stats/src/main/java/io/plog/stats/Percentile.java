package io.plog.stats;

import java.util.Arrays;
import java.util.List;

/** The percentiles that plog shows, with their intervals, in results, tables, gates and documents. To add one, add it here. */
public enum Percentile {
    P5(0.05, "5 %", "5th percentile"),
    P25(0.25, "25 %", "25th percentile"),
    P50(0.5, "median", "median"),
    P75(0.75, "75 %", "75th percentile"),
    P90(0.9, "90 %", "90th percentile"),
    P95(0.95, "95 %", "95th percentile"),
    P99(0.99, "99 %", "99th percentile"),
    P999(0.999, "99.9 %", "99.9th percentile"),
    P9999(0.9999, "99.99 %", "99.99th percentile");

    private final double q;
    private final String heading;
    private final String words;

    Percentile(double q, String heading, String words) {
        this.q = q;
        this.heading = heading;
        this.words = words;
    }

    /** Which quantile: above 0, below 1. */
    public double q() {
        return q;
    }

    /** As in results and gates, such as {@code p99}. */
    public String label() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** Of a column. */
    public String heading() {
        return heading;
    }

    /** In sentences. */
    public String words() {
        return words;
    }

    /** All of them as quantiles, ascending. */
    public static List<Double> quantiles() {
        return Arrays.stream(values()).map(Percentile::q).toList();
    }
}
