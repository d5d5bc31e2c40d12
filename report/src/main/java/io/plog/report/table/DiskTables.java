package io.plog.report.table;

import io.plog.measure.disk.FileKind;
import io.plog.report.disk.DiskComparisons;
import io.plog.report.disk.DiskResults;
import io.plog.report.disk.DiskResults.Cell;
import io.plog.report.disk.DiskResults.Distribution;
import io.plog.report.results.Results;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables of what {@code plog disk} measured, each with the rows of all directories. */
public final class DiskTables {
    private final DiskResults results;
    private final String usualFile;

    private DiskTables(DiskResults results) {
        this.results = results;
        usualFile = results.plan().files().get(0);
    }

    /** Those that there are data for. */
    public static List<Table> of(DiskResults results) {
        DiskTables disk = new DiskTables(results);
        return Stream.of(
                        disk.appends(), disk.parts(), disk.circumstances(), disk.company(), disk.files(), disk.shared())
                .filter(table -> !table.rows().isEmpty())
                .toList();
    }

    private static Table curves(String name, String... about) {
        List<String> columns = new ArrayList<>(List.of(about));
        columns.addAll(List.of("n:count", "time:µs", "share at most:share"));
        return Table.of(name, about.length + 1, columns.toArray(String[]::new));
    }

    private static void curve(Table table, @Nullable Distribution distribution, Object... about) {
        DiskResults.Curve steps = distribution == null ? null : distribution.curve();
        if (distribution == null || steps == null) {
            return;
        }
        for (int i = 0; i < steps.micros().size(); i++) {
            List<@Nullable Object> row = new ArrayList<>(List.of(about));
            row.add(distribution.count());
            row.add(steps.micros().get(i));
            row.add(Units.significant((double) steps.ranks().get(i) / distribution.count(), 6));
            table.row(row.toArray());
        }
    }

    /** One append at a time. */
    private Table appends() {
        Table table = Table.of(
                "disk-appends",
                3,
                "directory",
                "size:bytes",
                "force",
                "n:count",
                "median:µs",
                "median low:µs",
                "median high:µs",
                "95 %:µs",
                "95 % low:µs",
                "95 % high:µs",
                "99 %:µs",
                "99 % low:µs",
                "99 % high:µs",
                "max:µs");
        for (DiskResults.Directory directory : results.directories()) {
            for (Cell cell : usual(directory)) {
                Distribution both = cell.bothMicros();
                if (both != null) {
                    List<@Nullable Object> row =
                            new ArrayList<>(List.of(directory.path(), cell.sizeBytes(), cell.force(), both.count()));
                    for (double q : new double[] {0.5, 0.95, 0.99}) {
                        Results.Quantile quantile = both.quantile(q);
                        row.add(quantile.micros());
                        row.add(quantile.interval().low());
                        row.add(quantile.interval().high());
                    }
                    row.add(both.max());
                    table.row(row.toArray());
                }
            }
        }
        return table;
    }

    /** One append at a time in the first kind of file. */
    private List<Cell> usual(DiskResults.Directory directory) {
        return directory.cells().stream()
                .filter(cell -> cell.isSingle() && cell.file().equals(usualFile))
                .toList();
    }

    /** Write, force and both, where the force is a call of its own; else both alone. */
    private Table parts() {
        Table table = curves("disk-parts", "directory", "force", "size:bytes", "part");
        for (DiskResults.Directory directory : results.directories()) {
            for (Cell cell : usual(directory)) {
                Object[] about = {directory.path(), cell.force(), cell.sizeBytes()};
                if (cell.forceMicros() != null) {
                    curve(table, cell.writeMicros(), with(about, "write"));
                    curve(table, cell.forceMicros(), with(about, "force"));
                }
                curve(table, cell.bothMicros(), with(about, "both"));
            }
        }
        return table;
    }

    private static Object[] with(Object[] about, Object last) {
        return Stream.concat(Stream.of(about), Stream.of(last)).toArray();
    }

    /** The same append alone, at random places, and on a disk that others use. */
    private Table circumstances() {
        Table table = Table.of(
                "disk-circumstances",
                4,
                "directory",
                "force",
                "size:bytes",
                "circumstance",
                "n:count",
                "median:µs",
                "99 %:µs",
                "99 % low:µs",
                "99 % high:µs",
                "median by alone",
                "99 % by alone",
                "neighbour's operations:count");
        for (DiskResults.Directory directory : results.directories()) {
            for (DiskComparisons.Row row : DiskComparisons.of(results, directory)) {
                Distribution alone = row.ways().get(0).latency();
                for (DiskComparisons.Way way : row.ways()) {
                    Distribution found = way.latency();
                    if (alone != null && found != null) {
                        table.row(
                                directory.path(),
                                row.force(),
                                row.sizeBytes(),
                                way.words(),
                                found.count(),
                                found.p50(),
                                found.p99(),
                                found.quantile(0.99).interval().low(),
                                found.quantile(0.99).interval().high(),
                                found.p50() / alone.p50(),
                                found.p99() / alone.p99(),
                                way.neighbourOperations() == 0 ? null : way.neighbourOperations());
                    }
                }
            }
        }
        return table;
    }

    private Table company() {
        Table table = curves("disk-company", "directory", "force", "size:bytes", "circumstance");
        for (DiskResults.Directory directory : results.directories()) {
            for (DiskComparisons.Row row : DiskComparisons.of(results, directory)) {
                row.ways()
                        .forEach(way -> curve(
                                table, way.latency(), directory.path(), row.force(), row.sizeBytes(), way.words()));
            }
        }
        return table;
    }

    /** The kinds of files, for the way of forcing that a log has by default. */
    private Table files() {
        Table table = curves("disk-files", "directory", "force", "size:bytes", "file");
        List<String> kinds = results.plan().files().stream()
                .filter(kind -> !kind.equals(FileKind.RANDOM.label()))
                .toList();
        for (DiskResults.Directory directory : results.directories()) {
            String force = directory.usualForce();
            directory.cells().stream()
                    .filter(cell -> kinds.size() > 1
                            && cell.isSingle()
                            && cell.force().equals(force)
                            && kinds.contains(cell.file()))
                    .forEach(cell ->
                            curve(table, cell.bothMicros(), directory.path(), force, cell.sizeBytes(), cell.file()));
        }
        return table;
    }

    /** What an append costs when several share a force. */
    private Table shared() {
        Table table = Table.of(
                "disk-shared",
                3,
                "directory",
                "force",
                "size:bytes",
                "appends:count",
                "groups:count",
                "median of each:µs");
        for (DiskResults.Directory directory : results.directories()) {
            directory.cells().stream()
                    .filter(cell -> results.plan().shared().size() > 1
                            && cell.isAlone()
                            && cell.file().equals(usualFile)
                            && cell.perAppendMedianMicros() != null)
                    .forEach(cell -> table.row(
                            directory.path(),
                            cell.force(),
                            cell.sizeBytes(),
                            cell.appendsPerForce(),
                            cell.groups(),
                            cell.perAppendMedianMicros()));
        }
        return table;
    }
}
