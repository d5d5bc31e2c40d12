package io.plog.results.table;

import io.plog.measure.plan.FileKind;
import io.plog.measure.samples.RunInfo;
import io.plog.results.cells.FigureData;
import io.plog.results.cells.FigureData.Drawn;
import io.plog.results.cells.FigureData.Place;
import io.plog.results.model.DiskCells;
import io.plog.results.model.DiskCells.Circumstance;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Distribution;
import io.plog.stats.Percentile;
import io.plog.stats.text.Units;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tables of what {@code plog disk} measured, each with the rows of all directories. */
public final class DiskTables {
    private final String usualFile;
    private final Collection<DiskCells> directories;
    private final List<Drawn> curves;

    private DiskTables(Results results, FigureData figures) {
        usualFile = DiskCells.usualFile(results.cells());
        directories = DiskCells.byDirectory(results.environment().targets(), results.cells())
                .values();
        curves = figures.curves();
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
        DiskTables disk = new DiskTables(results, new FigureData(List.of(), List.of()));
        return Map.of(
                "file",
                disk.usualFile,
                "force",
                disk.directories.stream().map(DiskCells::usualForce).distinct().collect(Collectors.joining(", ")),
                "company",
                disk.ways().map(way -> way.alone().force()).distinct().collect(Collectors.joining(", ")));
    }

    /** A point of the distribution function of a cell, or of a part of its appends. */
    private record Point(String what, Place knot) {}

    private Stream<Point> points(Cell cell, String measure, String what) {
        return curves.stream()
                .filter(drawn -> drawn.isOf(cell) && drawn.measure().equals(measure))
                .flatMap(Drawn::knots)
                .map(knot -> new Point(what, knot));
    }

    private static Table curves(String name, String what, Stream<Point> points) {
        return TableOf.each(points.toList(), name, 5)
                .column("directory", point -> point.knot.curve().target())
                .column("force", point -> point.knot.curve().force())
                .column("size:bytes", point -> point.knot.curve().payloadBytes())
                .column(what, Point::what)
                .column("n:count", point -> point.knot.curve().count())
                .column("time:µs", point -> point.knot.micros())
                .column("share at most:share", point -> Units.significant(point.knot.shareAtMost(), 6))
                .table();
    }

    private Stream<Cell> cells(Function<DiskCells, List<Cell>> which) {
        return directories.stream().flatMap(cells -> which.apply(cells).stream());
    }

    private static Distribution both(Cell cell) {
        return Objects.requireNonNull(cell.logMicros());
    }

    /** One append at a time. */
    private Table appends() {
        return TableOf.each(cells(DiskCells::usual).toList(), "disk-appends", 3)
                .column("directory", Cell::target)
                .column("size:bytes", Cell::payloadBytes)
                .column("force", Cell::force)
                .column("n:count", Cell::count)
                .micros("median", cell -> both(cell).at(Percentile.P50).estimate())
                .micros("95 %", cell -> both(cell).at(Percentile.P95).estimate())
                .micros("99 %", cell -> both(cell).at(Percentile.P99).estimate())
                .column("max:µs", cell -> both(cell).max())
                .table();
    }

    /** Write and force where the force is a call of its own, and both. */
    private Table parts() {
        return curves(
                "disk-parts",
                "part",
                cells(DiskCells::usual)
                        .flatMap(cell -> Stream.concat(
                                !DiskCells.isForcedByCall(cell)
                                        ? Stream.of()
                                        : Stream.concat(
                                                points(cell, FigureData.WRITE, "write"),
                                                points(cell, FigureData.FORCE, "force")),
                                points(cell, FigureData.LOGGING, "both"))));
    }

    private Stream<Circumstance> ways() {
        return directories.stream().flatMap(cells -> cells.circumstances().stream());
    }

    /** The same append alone, at random places, and on a disk that others use. */
    private Table circumstances() {
        return TableOf.each(ways().toList(), "disk-circumstances", 4)
                .column("directory", way -> way.cell().target())
                .column("force", way -> way.cell().force())
                .column("size:bytes", way -> way.cell().payloadBytes())
                .column("circumstance", Circumstance::words)
                .column("n:count", way -> way.cell().count())
                .column("median:µs", way -> both(way.cell()).p50())
                .micros("99 %", way -> both(way.cell()).at(Percentile.P99).estimate())
                .column(
                        "median by alone",
                        way -> both(way.cell()).p50() / both(way.alone()).p50())
                .column(
                        "99 % by alone",
                        way -> both(way.cell()).p99() / both(way.alone()).p99())
                .column("neighbour's operations:count", way -> way.cell().neighbourOperations())
                .table();
    }

    private Table company() {
        return curves(
                "disk-company",
                "circumstance",
                ways().flatMap(way -> points(way.cell(), FigureData.LOGGING, way.words())));
    }

    /** The kinds of files, for the way of forcing that a log has by default. */
    private Table files() {
        return curves(
                "disk-files",
                "file",
                cells(DiskTables::severalFiles).flatMap(cell -> points(cell, FigureData.LOGGING, file(cell))));
    }

    private static List<Cell> severalFiles(DiskCells cells) {
        List<Cell> found = cells.all().stream()
                .filter(cell -> DiskCells.isSingle(cell)
                        && cell.force().equals(cells.usualForce())
                        && !file(cell).equals(FileKind.RANDOM.label()))
                .toList();
        return found.stream().map(DiskTables::file).distinct().count() > 1 ? found : List.of();
    }

    private static String file(Cell cell) {
        return cell.dimension(RunInfo.Target.FILE);
    }

    /** What an append costs when several share a force. */
    private Table shared() {
        return TableOf.each(cells(this::severalDepths).toList(), "disk-shared", 3)
                .column("directory", Cell::target)
                .column("force", Cell::force)
                .column("size:bytes", Cell::payloadBytes)
                .column("appends:count", DiskCells::appends)
                .column("groups:count", Cell::count)
                .column("median of each:µs", cell -> Units.rounded(both(cell).p50() / DiskCells.appends(cell), 3))
                .table();
    }

    private List<Cell> severalDepths(DiskCells cells) {
        List<Cell> groups = cells.all().stream()
                .filter(cell -> DiskCells.isAlone(cell) && file(cell).equals(usualFile))
                .toList();
        return groups.stream().anyMatch(cell -> DiskCells.appends(cell) > 1) ? groups : List.of();
    }
}
