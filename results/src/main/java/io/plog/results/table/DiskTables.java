package io.plog.results.table;

import io.plog.measure.disk.FileKind;
import io.plog.measure.samples.RunInfo;
import io.plog.results.cells.FigureData;
import io.plog.results.model.DiskCells;
import io.plog.results.model.DiskCells.Circumstance;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Distribution;
import io.plog.stats.Percentile;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables of what {@code plog disk} measured, each with the rows of all directories. */
public final class DiskTables {
    private final Results results;
    private final Map<String, DiskCells> directories;
    private final Map<List<Object>, FigureData.Drawn> curves = new HashMap<>();

    private DiskTables(Results results, FigureData figures) {
        this.results = results;
        directories = DiskCells.byDirectory(results.environment().targets(), results.cells());
        figures.curves()
                .forEach(drawn -> curves.put(
                        key(drawn.target(), drawn.force(), drawn.payloadBytes(), drawn.dimensions(), drawn.measure()),
                        drawn));
    }

    private static List<Object> key(Object... what) {
        return List.of(what);
    }

    /** Those that there are data for. */
    public static List<Table> of(Results results, FigureData figures) {
        DiskTables disk = new DiskTables(results, figures);
        return Stream.of(
                        disk.appends(), disk.parts(), disk.circumstances(), disk.company(), disk.files(), disk.shared())
                .filter(table -> !table.rows().isEmpty())
                .toList();
    }

    /** What the notes of the figures name. */
    public static Map<String, String> words(Results results) {
        Collection<DiskCells> cells = DiskCells.byDirectory(
                        results.environment().targets(), results.cells())
                .values();
        return Map.of(
                "file",
                DiskCells.usualFile(results.cells()),
                "force",
                cells.stream().map(DiskCells::usualForce).distinct().collect(Collectors.joining(", ")),
                "company",
                cells.stream()
                        .flatMap(each -> each.circumstances().stream())
                        .map(row -> row.get(0).cell().force())
                        .distinct()
                        .collect(Collectors.joining(", ")));
    }

    private static Table curves(String name, String... about) {
        List<String> columns = new ArrayList<>(List.of(about));
        columns.addAll(List.of("n:count", "time:µs", "share at most:share"));
        return Table.of(name, about.length + 1, columns.toArray(String[]::new));
    }

    private void curve(Table table, Cell cell, String measure, Object... about) {
        FigureData.Drawn drawn =
                curves.get(key(cell.target(), cell.force(), cell.payloadBytes(), cell.dimensions(), measure));
        for (int i = 0; drawn != null && i < drawn.ecdf()[0].length; i++) {
            List<@Nullable Object> row = new ArrayList<>(List.of(about));
            row.add(drawn.count());
            row.add(Micros.ofNanos(drawn.ecdf()[0][i]));
            row.add(Units.significant(drawn.shareAtMost(i), 6));
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
        directories.forEach((directory, cells) -> {
            for (Cell cell : cells.usual()) {
                Distribution both = Objects.requireNonNull(cell.logMicros());
                List<@Nullable Object> row =
                        new ArrayList<>(List.of(directory, cell.payloadBytes(), cell.force(), cell.count()));
                for (Percentile percentile : List.of(Percentile.P50, Percentile.P95, Percentile.P99)) {
                    Results.Quantile quantile = both.at(percentile);
                    row.add(quantile.micros());
                    row.add(quantile.interval().low());
                    row.add(quantile.interval().high());
                }
                row.add(both.max());
                table.row(row.toArray());
            }
        });
        return table;
    }

    /** Write, force and both for each way of forcing; ways whose force is a call of its own first: their panels fill lines. */
    private Table parts() {
        Table table = curves("disk-parts", "directory", "force", "size:bytes", "part");
        directories.forEach((directory, cells) -> {
            List<String> forces =
                    cells.usual().stream().map(Cell::force).distinct().toList();
            List<String> apart = cells.usual().stream()
                    .filter(DiskCells::isForcedByCall)
                    .map(Cell::force)
                    .toList();
            Stream.concat(
                            forces.stream().filter(apart::contains),
                            forces.stream().filter(force -> !apart.contains(force)))
                    .forEach(force -> cells.usual().stream()
                            .filter(cell -> cell.force().equals(force))
                            .forEach(cell -> {
                                Object[] about = {directory, force, cell.payloadBytes()};
                                if (apart.contains(force)) {
                                    curve(table, cell, FigureData.WRITE, with(about, "write"));
                                    curve(table, cell, FigureData.FORCE, with(about, "force"));
                                }
                                curve(table, cell, FigureData.LOGGING, with(about, "both"));
                            }));
        });
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
        directories.forEach((directory, cells) -> {
            for (List<Circumstance> row : cells.circumstances()) {
                Distribution alone = Objects.requireNonNull(row.get(0).cell().logMicros());
                for (Circumstance way : row) {
                    Cell cell = way.cell();
                    Distribution found = Objects.requireNonNull(cell.logMicros());
                    table.row(
                            directory,
                            cell.force(),
                            cell.payloadBytes(),
                            way.words(),
                            cell.count(),
                            found.p50(),
                            found.p99(),
                            found.at(Percentile.P99).interval().low(),
                            found.at(Percentile.P99).interval().high(),
                            found.p50() / alone.p50(),
                            found.p99() / alone.p99(),
                            cell.neighbourOperations());
                }
            }
        });
        return table;
    }

    private Table company() {
        Table table = curves("disk-company", "directory", "force", "size:bytes", "circumstance");
        directories.forEach((directory, cells) -> cells.circumstances()
                .forEach(row -> row.forEach(way -> curve(
                        table,
                        way.cell(),
                        FigureData.LOGGING,
                        directory,
                        way.cell().force(),
                        way.cell().payloadBytes(),
                        way.words()))));
        return table;
    }

    /** The kinds of files, for the way of forcing that a log has by default. */
    private Table files() {
        Table table = curves("disk-files", "directory", "force", "size:bytes", "file");
        directories.forEach((directory, cells) -> {
            List<Cell> found = cells.all().stream()
                    .filter(cell -> DiskCells.isSingle(cell)
                            && cell.force().equals(cells.usualForce())
                            && !file(cell).equals(FileKind.RANDOM.label()))
                    .toList();
            if (found.stream().map(DiskTables::file).distinct().count() > 1) {
                found.forEach(cell -> curve(
                        table, cell, FigureData.LOGGING, directory, cell.force(), cell.payloadBytes(), file(cell)));
            }
        });
        return table;
    }

    private static String file(Cell cell) {
        return cell.dimension(RunInfo.Target.FILE);
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
        String usual = DiskCells.usualFile(results.cells());
        directories.forEach((directory, cells) -> {
            List<Cell> groups = cells.all().stream()
                    .filter(cell -> DiskCells.isAlone(cell) && file(cell).equals(usual))
                    .toList();
            if (groups.stream().anyMatch(cell -> DiskCells.appends(cell) > 1)) {
                groups.forEach(cell -> table.row(
                        directory,
                        cell.force(),
                        cell.payloadBytes(),
                        DiskCells.appends(cell),
                        cell.count(),
                        Units.rounded(Objects.requireNonNull(cell.logMicros()).p50() / DiskCells.appends(cell), 3)));
            }
        });
        return table;
    }
}
