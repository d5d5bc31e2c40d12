package io.plog.results.study;

import io.plog.measure.study.StudyDesign;
import io.plog.stats.text.Units;
import java.util.List;
import java.util.Optional;

/**
 * The published servers that a study is held against, from {@link PublishedTables}: Ruan and Pai, USENIX ATC 2006, and the 2004 study before it (their 3.3 GB
 * workload); the third study is Wu's thesis (Lincoln, 2018), its small data set. Latencies in milliseconds. Stateless.
 */
final class PublishedServers {
    /** A server at 2300 requests a second. */
    record Server(String name, double p5, double p50, double p95, double mean, double megabitsPerSecond) {}

    static final Server NEW_FLASH = server("New-Flash", "New-Flash, 1 instance");
    static final Server NEW_FLASH_4 = server("New-Flash, 4 instances", "New-Flash, 4 instances");
    static final Server OLD_FLASH = server("Old Flash", "Old Flash, 1 instance");
    static final Server OLD_FLASH_4 = server("Old Flash, 4 instances", "Old Flash, 4 instances");
    static final Server APACHE_150 = server("Apache, 150 processes", "Apache, 150 processes");
    static final Server APACHE_300 = server("Apache, 300 processes", "Apache, 300 processes");

    static final double OLD_INVERSION = inversion("old servers");
    static final double NEW_INVERSION = inversion("New-Flash");

    /** Least and greatest factor by which removing the blocking cut the mean. */
    static final double LEAST_MEAN_FACTOR = 12;

    static final double MOST_MEAN_FACTOR = 54;
    static final double LEAST_MEDIAN_FACTOR = 47;
    static final double MOST_MEDIAN_FACTOR = 174;

    /** The thesis' percentiles as multiples of the median: 95, 99, 99.9. */
    static final List<Double> TAIL = List.of(2.5, 4.1, 7.9);

    private static final int FEW_PROCESSES = 150;

    private PublishedServers() {}

    /** A server of the tables; its capacity is that of all of its family. */
    private static Server server(String name, String row) {
        PublishedTables.Percentiles latency = PublishedTables.AT_2300.stream()
                .filter(each -> each.server().equals(row))
                .findFirst()
                .orElseThrow();
        PublishedTables.Capacities capacity = PublishedTables.CAPACITIES.stream()
                .filter(each -> row.startsWith(each.server() + ","))
                .findFirst()
                .orElseThrow();
        return new Server(name, latency.p5(), latency.median(), latency.p95(), latency.mean(), capacity.gb3());
    }

    private static double inversion(String server) {
        return PublishedTables.INVERSIONS.stream()
                .filter(each -> each.server().equals(server))
                .findFirst()
                .orElseThrow()
                .value();
    }

    /** The published server of this design; empty if the table has none. The table has none between 150 and 300 processes. */
    static Optional<Server> of(StudyDesign design) {
        boolean several = design.eventLoops() > 1;
        if (design.isDedicated()) {
            return Optional.of(several ? NEW_FLASH_4 : NEW_FLASH);
        }
        if (design.isInline()) {
            return Optional.of(several ? OLD_FLASH_4 : OLD_FLASH);
        }
        if (design.isThreads()) {
            return design.threads() == FEW_PROCESSES
                    ? Optional.of(APACHE_150)
                    : design.threads() == 2 * FEW_PROCESSES ? Optional.of(APACHE_300) : Optional.empty();
        }
        return Optional.empty();
    }

    /**
     * How much longer one published server took than another.
     *
     * @param pair their names
     */
    record Factors(String pair, double mean, double median) {}

    /** Of the servers that wait as two designs do; empty if the table lacks one. */
    static Optional<Factors> factors(String design, String other) {
        return StudyDesign.ofLabel(design)
                .flatMap(PublishedServers::of)
                .flatMap(treated -> StudyDesign.ofLabel(other)
                        .flatMap(PublishedServers::of)
                        .map(control -> new Factors(
                                treated.name() + " against " + control.name(),
                                Units.rounded(treated.mean() / control.mean(), 2),
                                Units.rounded(treated.p50() / control.p50(), 2))));
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
