package io.plog.results.study;

import io.plog.results.table.Table;
import io.plog.stats.text.Units;
import java.util.List;

/**
 * The figures of the published studies that ours are compared with.
 *
 * <p>Yaoping Ruan and Vivek Pai, "Understanding and Addressing Blocking-Induced Network Server Latency", USENIX ATC 2006, and the
 * same authors' study of 2004; Jun Wu, "Reducing the Tail Latency of a Distributed NoSQL Database", University of Nebraska-Lincoln,
 * 2018, chapter 4.
 */
public final class PublishedTables {
    /** Where the tables of servers come from. */
    public static final String STUDY = "Ruan and Pai, USENIX ATC 2006";
    /** Where the tables of percentiles at one rate and of capacities come from. */
    public static final String STUDY_2004 = "Ruan and Pai 2004";
    /** Where the table of components comes from. */
    public static final String THESIS = "Wu, University of Nebraska-Lincoln 2018";

    /** A server at 2300 requests/s with a workload of 3.3 GB, in milliseconds: Table 7 of the study of 2004. */
    public record Percentiles(String server, double p5, double median, double p95, double mean) {}

    /** Each row of that table. */
    public static final List<Percentiles> AT_2300 = List.of(
            new Percentiles("New-Flash, 1 instance", 0.37, 0.79, 7.45, 7.56),
            new Percentiles("New-Flash, 4 instances", 0.38, 0.82, 7.51, 7.72),
            new Percentiles("Old Flash, 1 instance", 3.36, 37.59, 326.40, 92.37),
            new Percentiles("Old Flash, 4 instances", 7.05, 142.65, 1924.42, 420.85),
            new Percentiles("Apache, 150 processes", 0.70, 6.64, 1599.50, 360.62),
            new Percentiles("Apache, 300 processes", 0.78, 124.98, 2201.63, 545.93));

    /** Capacity at infinite demand in Mb/s, with 500 MB, 1.5 GB and 3.3 GB of data. */
    public record Capacities(String server, double mb500, double gb1, double gb3) {}

    /** Each row of that table. */
    public static final List<Capacities> CAPACITIES = List.of(
            new Capacities("Apache", 240.3, 230.7, 210.6),
            new Capacities("Old Flash", 485.2, 410.6, 264.5),
            new Capacities("New-Flash", 660.9, 580.3, 326.4));

    /** Capacity in Mb/s with three generations of processors, Pentium II, III and 4. */
    public record Generations(String server, String workload, double second, double third, double fourth) {}

    /** Each row of that table. */
    public static final List<Generations> GENERATIONS = List.of(
            new Generations("Apache", "in memory", 107.3, 248.4, 437.6),
            new Generations("Flash", "in memory", 210.3, 466.0, 787.0),
            new Generations("Apache", "disk-bound", 98.8, 174.1, 241.1),
            new Generations("Flash", "disk-bound", 134.1, 256.4, 336.0),
            new Generations("Flashpache", "disk-bound", 103.3, 198.9, 272.9),
            new Generations("New-Flash", "disk-bound", 140.4, 358.0, 450.0));

    /** Service inversion at load 0.95. That of the old servers could not be checked at its source. */
    public record Inverted(String server, double value) {}

    /** Each row of that table. */
    public static final List<Inverted> INVERSIONS = List.of(
            new Inverted("old servers", 0.58), new Inverted("New-Flash", 0.35), new Inverted("in memory", 0.33));

    /** A component in the thesis, small data set, in milliseconds. */
    public record Component(
            String name, double mean, double median, double p95, double p99, double p999, double min, double max) {}

    /** Each row of that table. */
    public static final List<Component> COMPONENTS = List.of(
            new Component("latency", 0.88, 0.68, 1.72, 2.82, 5.39, 0.26, 74.72),
            new Component("service", 0.33, 0.22, 1.08, 1.45, 3.51, 0.03, 16),
            new Component("network", 0.53, 0.56, 0.75, 1.88, 4.2, 0.12, 66.97));

    private PublishedTables() {}

    /** Those that are next to ours on the page; the inversions are drawn as lines. */
    static List<Table> all() {
        Table percentiles = Table.of("published-percentiles", 1, "server", "5 %:ms", "median:ms", "95 %:ms", "mean:ms");
        AT_2300.forEach(row -> percentiles.row(row.server(), row.p5(), row.median(), row.p95(), row.mean()));
        Table capacities = Table.of("published-capacity", 1, "server", "500 MB, Mb/s", "1.5 GB, Mb/s", "3.3 GB, Mb/s");
        CAPACITIES.forEach(row -> capacities.row(row.server(), row.mb500(), row.gb1(), row.gb3()));
        Table generations = Table.of(
                "published-generations", 2, "server", "workload", "Pentium II", "Pentium III", "Pentium 4", "growth");
        GENERATIONS.forEach(row -> generations.row(
                row.server(),
                row.workload(),
                row.second(),
                row.third(),
                row.fourth(),
                Units.rounded(row.fourth() / row.second(), 2)));
        Table components = Table.of(
                "published-components",
                1,
                "component",
                "mean:ms",
                "median:ms",
                "95 %:ms",
                "99 %:ms",
                "99.9 %:ms",
                "min:ms",
                "max:ms");
        COMPONENTS.forEach(row -> components.row(
                row.name(), row.mean(), row.median(), row.p95(), row.p99(), row.p999(), row.min(), row.max()));
        return List.of(percentiles, capacities, generations, components);
    }
}
