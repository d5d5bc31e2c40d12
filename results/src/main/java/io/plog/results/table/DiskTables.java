package io.plog.results.table;

import io.plog.measure.plan.FileKind;
import io.plog.measure.samples.RunInfo;
import io.plog.results.cells.FigureData;
import io.plog.results.cells.FigureData.Drawn;
import io.plog.results.cells.FigureData.Knot;
import io.plog.results.model.DiskCells;
import io.plog.results.model.DiskCells.Circumstance;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Distribution;
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
        return TableMapping.tables("disk", source -> switch (source) {
            case "usual" -> disk.cells(DiskCells::usual);
            case "parts" -> disk.cells(DiskCells::usual).flatMap(disk::parts);
            case "ways" -> disk.ways().map(DiskTables::relative);
            case "company" -> disk.ways().flatMap(way -> disk.points(way.cell(), FigureData.LOGGING, way.words()));
            case "files" ->
                disk.cells(DiskTables::severalFiles).flatMap(cell -> disk.points(cell, FigureData.LOGGING, file(cell)));
            case "shared" -> disk.cells(disk::severalDepths).map(DiskTables::shared);
            default -> throw new IllegalArgumentException(source);
        });
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
    private record Point(String what, Knot knot) {}

    private Stream<Point> points(Cell cell, String measure, String what) {
        return curves.stream()
                .filter(drawn -> drawn.isOf(cell) && drawn.measure().equals(measure))
                .flatMap(Drawn::knots)
                .map(knot -> new Point(what, knot));
    }

    private Stream<Cell> cells(Function<DiskCells, List<Cell>> which) {
        return directories.stream().flatMap(cells -> which.apply(cells).stream());
    }

    private static Distribution both(Cell cell) {
        return Objects.requireNonNull(cell.logMicros());
    }

    /** Write and force where the force is a call of its own, and both. */
    private Stream<Point> parts(Cell cell) {
        Stream<Point> both = points(cell, FigureData.LOGGING, "both");
        return !DiskCells.isForcedByCall(cell)
                ? both
                : Stream.of(points(cell, FigureData.WRITE, "write"), points(cell, FigureData.FORCE, "force"), both)
                        .flatMap(points -> points);
    }

    private Stream<Circumstance> ways() {
        return directories.stream().flatMap(cells -> cells.circumstances().stream());
    }

    /** The same append at random places or on a disk that others use, by how long it takes alone. */
    private record Relative(Cell cell, String words, double medianByAlone, double p99ByAlone) {}

    private static Relative relative(Circumstance way) {
        Distribution alone = both(way.alone());
        return new Relative(
                way.cell(),
                way.words(),
                both(way.cell()).p50() / alone.p50(),
                both(way.cell()).p99() / alone.p99());
    }

    /** Cells of the kinds of files, for the way of forcing that a log has by default. */
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
    private record Shared(Cell cell, int appends, double medianOfEach) {}

    private static Shared shared(Cell cell) {
        int appends = DiskCells.appends(cell);
        return new Shared(cell, appends, Units.rounded(both(cell).p50() / appends, 3));
    }

    private List<Cell> severalDepths(DiskCells cells) {
        List<Cell> groups = cells.all().stream()
                .filter(cell -> DiskCells.isAlone(cell) && file(cell).equals(usualFile))
                .toList();
        return groups.stream().anyMatch(cell -> DiskCells.appends(cell) > 1) ? groups : List.of();
    }
}
