package io.plog.report.study;

import io.plog.measure.study.StudyDesign;
import java.util.List;
import java.util.Optional;

/**
 * The published figures that a study is held against: Ruan and Pai, USENIX ATC 2006, and the 2004 study before it (their 3.3 GB
 * workload); the third study is Wu's thesis (Lincoln, 2018), its small data set. Latencies in milliseconds. Stateless.
 */
final class Published {
    /** A server at 2300 requests a second. */
    record Server(String name, double p5, double p50, double p95, double mean, double megabitsPerSecond) {}

    static final Server NEW_FLASH = new Server("New-Flash", 0.37, 0.79, 7.45, 7.56, 326.4);
    static final Server NEW_FLASH_4 = new Server("New-Flash, 4 instances", 0.38, 0.82, 7.51, 7.72, 326.4);
    static final Server OLD_FLASH = new Server("Old Flash", 3.36, 37.59, 326.40, 92.37, 264.5);
    static final Server OLD_FLASH_4 = new Server("Old Flash, 4 instances", 7.05, 142.65, 1924.42, 420.85, 264.5);
    static final Server APACHE_150 = new Server("Apache, 150 processes", 0.70, 6.64, 1599.50, 360.62, 210.6);
    static final Server APACHE_300 = new Server("Apache, 300 processes", 0.78, 124.98, 2201.63, 545.93, 210.6);

    static final double OLD_INVERSION = 0.58;
    static final double NEW_INVERSION = 0.35;

    /** Least and greatest factor by which removing the blocking cut the mean. */
    static final double LEAST_MEAN_FACTOR = 12;

    static final double MOST_MEAN_FACTOR = 54;
    static final double LEAST_MEDIAN_FACTOR = 47;
    static final double MOST_MEDIAN_FACTOR = 174;

    /** The thesis' percentiles as multiples of the median: 95, 99, 99.9. */
    static final List<Double> TAIL = List.of(2.5, 4.1, 7.9);

    private static final int FEW_PROCESSES = 150;

    private Published() {}

    /** The server whose design it is; empty if the table has none. Between 150 and 300 processes there was nothing. */
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
}
