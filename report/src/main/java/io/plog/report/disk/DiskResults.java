package io.plog.report.disk;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.plog.log.Force;
import io.plog.measure.disk.Neighbour;
import io.plog.measure.samples.ForceLabel;
import io.plog.report.results.Results;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What {@code plog disk} prints with {@code --json} and writes as {@code disk.json}, field by field; the schema is {@code docs/disk.schema.json}. Times are
 * microseconds.
 *
 * @param schemaVersion version of this layout
 * @param kind always {@value #KIND}
 * @param startedAt ISO-8601 in UTC
 * @param partial whether it was stopped before its end
 * @param machine facts of the machine, by name
 * @param directories in the order in which they were named
 */
public record DiskResults(
        int schemaVersion,
        String kind,
        String plogVersion,
        String startedAt,
        Results.Partial partial,
        Plan plan,
        Map<String, String> machine,
        List<Directory> directories) {

    /** Checks that it holds a directory, and that each cell is one of the plan. */
    public DiskResults {
        check(!directories.isEmpty(), "no directory was measured");
        for (Directory directory : directories) {
            for (Cell cell : directory.cells()) {
                check(
                        plan.sizesBytes().contains(cell.sizeBytes())
                                && plan.files().contains(cell.file()),
                        "a cell of " + cell.sizeBytes() + " bytes with file " + cell.file() + " is not in the plan");
            }
        }
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    static final int SCHEMA_VERSION = 1;
    static final String KIND = "disk";

    /** The fact of the machine that tells its load average when the measurement began. */
    public static final String LOAD_FACT = "loadAverage";

    /** Whether more wanted to run than there are processors, so that the figures include waiting for one. */
    @JsonIgnore
    public boolean isBusy() {
        try {
            return Double.parseDouble(machine.getOrDefault(LOAD_FACT, "0"))
                    > Integer.parseInt(machine.getOrDefault("cores", "1"));
        } catch (NumberFormatException unknown) {
            return false;
        }
    }

    /**
     * What was to be measured.
     *
     * @param shared numbers of appends that share a force
     * @param files kinds of files: {@code initialised}, {@code growing}, {@code random}
     * @param beside who used the disk besides the log in some more cells: {@code log}, {@code reads}
     * @param blocks planned randomised blocks
     * @param blocksDone of them complete
     */
    public record Plan(
            List<String> forces,
            List<Integer> sizesBytes,
            List<Integer> shared,
            List<String> files,
            List<String> beside,
            double secondsPerDirectory,
            long maxWriteBytes,
            int blocks,
            int blocksDone,
            long seed) {
        /** Checks that there are kinds of files, and numbers of bytes and of appends. */
        public Plan {
            check(!files.isEmpty(), "the plan has no kind of file");
            check(sizesBytes.stream().allMatch(bytes -> bytes >= 0), "a size is below 0");
            check(shared.stream().allMatch(appends -> appends > 0), "less than one append shares a force");
        }
    }

    /** A directory. */
    public record Directory(
            String path, Map<String, String> facts, List<Way> ways, List<Cell> cells, StableStorage stableStorage) {
        private Stream<Cell> singles() {
            return cells.stream().filter(Cell::isSingle);
        }

        /** The way of forcing that a log has by default, or the first that forces if it was not measured. */
        public String usualForce() {
            List<String> forcing = singles()
                    .filter(cell -> cell.forceLabel().forces())
                    .map(Cell::force)
                    .toList();
            String usual = Force.FDATASYNC.label();
            return forcing.contains(usual) || forcing.isEmpty() ? usual : forcing.get(0);
        }

        /** The cost of a durable append in one sentence. */
        public String cost() {
            return singles()
                    .filter(single -> single.force().equals(usualForce()))
                    .findFirst()
                    .flatMap(single -> Optional.ofNullable(single.bothMicros())
                            .map(both -> "A durable append of " + Units.size(single.sizeBytes()) + " takes "
                                    + Micros.withUnit(both.p50()) + " at the median and "
                                    + Micros.withUnit(both.p99()) + " at the 99th percentile (" + single.force()
                                    + ", n = " + Units.count(both.count()) + ")."))
                    .orElse("No forced append was measured.");
        }
    }

    /**
     * A way of forcing.
     *
     * @param detail how it writes, or why it is not available
     */
    public record Way(String force, boolean available, String detail) {}

    /**
     * Groups of equal appends; each distribution is of groups.
     *
     * @param file {@code initialised}, {@code growing} or {@code random}
     * @param appendsPerForce how many appends are written together and share the force
     * @param beside who else used the disk meanwhile: {@code none}, {@code log} or {@code reads}
     * @param besideOperations what that neighbour did meanwhile: forced appends or reads; 0 without one
     * @param groups how many groups were measured
     * @param writeMicros null if none was
     * @param forceMicros null too where the write forces, or nothing does
     * @param bothMicros write and force of each group together
     * @param perAppendMedianMicros median of {@code bothMicros} by the number of appends
     * @param perAppendMeanMicros mean of {@code bothMicros} by the number of appends
     */
    public record Cell(
            String force,
            String file,
            int sizeBytes,
            int appendsPerForce,
            String beside,
            long besideOperations,
            int groups,
            @Nullable Distribution writeMicros,
            @Nullable Distribution forceMicros,
            @Nullable Distribution bothMicros,
            @Nullable Double perAppendMedianMicros,
            @Nullable Double perAppendMeanMicros) {
        /** Whether nobody else used the disk, and no append shared a force. */
        @JsonIgnore
        public boolean isSingle() {
            return appendsPerForce == 1 && isAlone();
        }

        /** Whether nobody else used the disk. */
        @JsonIgnore
        public boolean isAlone() {
            return beside.equals(Neighbour.NONE.label());
        }

        /** What the label of its way of forcing says. */
        ForceLabel forceLabel() {
            return new ForceLabel(force);
        }
    }

    /**
     * A distribution; percentiles by nearest rank.
     *
     * @param sd divided by n - 1
     * @param quantiles p5, p50, p95 and p99 with their 95 % intervals; an end is null if the sample does not bound it
     * @param curve the distribution function at chosen samples; null for cells whose appends share a force
     */
    public record Distribution(
            int count,
            double mean,
            double sd,
            double min,
            double p5,
            double p50,
            double p95,
            double p99,
            double max,
            List<Results.Quantile> quantiles,
            @Nullable Curve curve) {
        private static final List<Double> QUANTILES = List.of(0.05, 0.5, 0.95, 0.99);

        /** Checks that every quantile is there. */
        public Distribution {
            Set<Double> there = quantiles.stream().map(Results.Quantile::q).collect(Collectors.toSet());
            check(
                    there.containsAll(QUANTILES),
                    "a distribution has the quantiles " + there + ", expected " + QUANTILES);
        }

        /** The same without its curve. */
        Distribution withoutCurve() {
            return new Distribution(count, mean, sd, min, p5, p50, p95, p99, max, quantiles, null);
        }

        /** Whether the sample bounds this quantile from above. */
        public boolean isBounded(double q) {
            return quantile(q).interval().high() != null;
        }

        public Results.Quantile quantile(double q) {
            return quantiles.stream()
                    .filter(quantile -> quantile.q() == q)
                    .findFirst()
                    .orElseThrow();
        }
    }

    /**
     * An empirical distribution function: of all groups, {@code ranks[i]} took at most {@code micros[i]}.
     *
     * @param micros ascending
     * @param ranks ascending; the last is the number of groups
     */
    public record Curve(List<Double> micros, List<Long> ranks) {
        /** Checks that each value has a rank. */
        public Curve {
            check(!micros.isEmpty() && micros.size() == ranks.size(), "a curve has values without ranks, or is empty");
        }
    }

    /**
     * Whether the figures look like those of stable media.
     *
     * @param verdict {@code consistent}, {@code volatile-cache} or {@code cannot-tell}
     * @param sentence the verdict as people read it
     * @param reasons weightiest first; the last is what would prove it
     */
    public record StableStorage(String verdict, String sentence, List<String> reasons) {}
}
