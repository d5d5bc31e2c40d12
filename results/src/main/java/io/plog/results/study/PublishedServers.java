package io.plog.results.study;

import io.plog.measure.plan.StudyDesign;
import io.plog.results.table.Table;
import io.plog.stats.text.Units;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The figures of the published studies that ours are compared with; the tables are resources next to this class. Stateless.
 *
 * <p>Yaoping Ruan and Vivek Pai, "Understanding and Addressing Blocking-Induced Network Server Latency", USENIX ATC 2006, and the
 * same authors' study of 2004, of which are the percentiles at 2300 requests/s (Table 7) and the capacities in Mb/s, with a workload
 * of 3.3 GB unless a column says another; Jun Wu, "Reducing the Tail Latency of a Distributed NoSQL Database", University of
 * Nebraska-Lincoln, 2018, chapter 4, small data set. The inversion of the old servers could not be checked at its source.
 */
final class PublishedServers {
    /** A factor that is at least this part of the published one is like it; a larger one is, too. */
    static final double LIKE = 0.5;

    /** The least factors by which removing the blocking cut mean and median. */
    private static final Factors LEAST = new Factors("", 12, 47);

    /** The thesis' percentiles as multiples of the median: 95, 99, 99.9. */
    static final List<Double> TAIL = List.of(2.5, 4.1, 7.9);

    /** Server, 5 %, median, 95 %, mean. */
    private static final Table PERCENTILES = read("published-percentiles", 1);

    /** What is shown next to our tables; the sketch says which thread waits for what, and nothing in it was measured. */
    static final List<Table> TABLES = List.of(
            PERCENTILES,
            read("published-capacity", 1),
            read("published-generations", 2),
            read("published-components", 1),
            read("published-inversions", 0),
            read("sketch", 1));

    private static final int FEW_PROCESSES = 150;

    private PublishedServers() {}

    private static Table read(String name, int keys) {
        return Table.ofResource(PublishedServers.class, name, keys);
    }

    /**
     * How much longer one published server took than another.
     *
     * @param pair their names
     */
    record Factors(String pair, double mean, double median) {}

    /** Of the servers that wait as two designs do; empty if the table lacks one. It has none between 150 and 300 processes. */
    static Optional<Factors> factors(String design, String other) {
        String treated = isPublished(design) ? row(design) : "";
        String control = isPublished(other) ? row(other) : "";
        return treated.isEmpty() || control.isEmpty()
                ? Optional.empty()
                : Optional.of(new Factors(
                        (treated + " against " + control).replace(", 1 instance", ""),
                        Units.rounded(figure(treated, 4) / figure(control, 4), 2),
                        Units.rounded(figure(treated, 2) / figure(control, 2), 2)));
    }

    /** What a design is held against: its own published factors, or, if there are none, the least, without the names of a pair. */
    static Factors like(String design, String other) {
        return factors(design, other).orElse(LEAST);
    }

    private static boolean isPublished(String label) {
        return StudyDesign.ofLabel(label)
                .filter(design -> !design.isThreads()
                        || design.threads() == FEW_PROCESSES
                        || design.threads() == 2 * FEW_PROCESSES)
                .filter(design -> design.isDedicated() || design.isInline() || design.isThreads())
                .isPresent();
    }

    private static double figure(String server, int column) {
        return PERCENTILES.rows().stream()
                .filter(row -> server.equals(row.get(0)))
                .map(row -> (Double) Objects.requireNonNull(row.get(column)))
                .findFirst()
                .orElseThrow();
    }

    /** The row of the server that waits like a design, with as many loops or the nearest number of threads; empty if none. */
    static String row(String label) {
        return StudyDesign.ofLabel(label)
                .map(design -> {
                    String family = family(label);
                    return design.isDedicated() || design.isInline()
                            ? family + (design.eventLoops() == 1 ? ", 1 instance" : ", 4 instances")
                            : !design.isThreads()
                                    ? family
                                    : family
                                            + (design.threads() * 2 < 3 * FEW_PROCESSES
                                                    ? ", 150 processes"
                                                    : ", 300 processes");
                })
                .orElse("");
    }

    /** The same without instances or processes. */
    static String family(String label) {
        return StudyDesign.ofLabel(label)
                .map(design -> design.isDedicated()
                        ? "New-Flash"
                        : design.isInline()
                                ? "Old Flash"
                                : design.isThreads() ? "Apache" : design.threads() > 0 ? "Flashpache" : "")
                .orElse("");
    }
}
