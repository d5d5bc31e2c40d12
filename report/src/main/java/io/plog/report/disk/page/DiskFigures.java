package io.plog.report.disk.page;

import io.plog.measure.disk.FileKind;
import io.plog.report.disk.DiskComparisons;
import io.plog.report.disk.DiskResults;
import io.plog.report.disk.DiskResults.Cell;
import io.plog.report.disk.DiskResults.Distribution;
import io.plog.report.figure.Axis;
import io.plog.report.figure.Axis.Tick;
import io.plog.report.figure.Figure;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Panel;
import io.plog.report.figure.Style;
import io.plog.report.figure.Table;
import io.plog.report.figure.Ticks;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The figures of one directory. */
final class DiskFigures {
    private static final int COLUMNS = 3;
    private static final double PANEL_WIDTH = 200;
    private static final double HEIGHT = 130;

    private final DiskResults results;
    private final DiskResults.Directory directory;
    private final String suffix;
    private final List<Integer> sizes;

    /** Figures whose names end with {@code suffix}. */
    DiskFigures(DiskResults results, DiskResults.Directory directory, String suffix) {
        this.results = results;
        this.directory = directory;
        this.suffix = suffix;
        sizes = results.plan().sizesBytes();
    }

    /** A curve with what it is called in tables. */
    private record Curve(List<String> names, Distribution distribution, Style style) {}

    /** Write, force and both, for each way of forcing and size. */
    @Nullable
    Figure parts() {
        String usual = results.plan().files().get(0);
        List<Cell> cells = directory.cells().stream()
                .filter(cell -> cell.isSingle() && cell.file().equals(usual) && cell.bothMicros() != null)
                .toList();
        if (cells.isEmpty()) {
            return null;
        }
        Axis x = micros(
                cells.stream().flatMap(cell -> Stream.of(cell.writeMicros(), cell.forceMicros(), cell.bothMicros())));
        List<List<Panel>> rows = new ArrayList<>();
        List<Panel> whole = new ArrayList<>();
        List<Curve> drawn = new ArrayList<>();
        for (String force : cells.stream().map(Cell::force).distinct().toList()) {
            List<Cell> of =
                    cells.stream().filter(cell -> cell.force().equals(force)).toList();
            boolean apart = of.stream().anyMatch(cell -> cell.forceMicros() != null);
            if (apart) {
                rows.add(withoutFurtherLabels(List.of(
                        part(force + ": write", of, Cell::writeMicros, x, "write", drawn),
                        part(force + ": force", of, Cell::forceMicros, x, "force", drawn),
                        part(force + ": both together", of, Cell::bothMicros, x, "both", drawn))));
            } else {
                String what = force.equals("write") ? force + ": not forced" : force + ": the write forces";
                whole.add(part(what, of, Cell::bothMicros, x, "both", drawn));
            }
        }
        rows.addAll(inRows(whole));
        return new Figure(
                "disk-parts" + suffix,
                "One append at a time: write and force",
                "Distribution functions of the time of the write, of the force and of both, a line for each size. Medians of both: "
                        + cells.stream()
                                .map(cell -> cell.force() + ", " + Units.size(cell.sizeBytes()) + " "
                                        + Micros.text(Objects.requireNonNull(cell.bothMicros())
                                                .p50())
                                        + " µs")
                                .collect(Collectors.joining("; "))
                        + ".",
                DiskPalette.sizes(sizes),
                rows,
                List.of(origin(), "File: " + usual + ". Logarithmic time."),
                table(List.of("force", "size bytes", "part"), drawn));
    }

    private Panel part(
            String heading,
            List<Cell> cells,
            Function<Cell, @Nullable Distribution> part,
            Axis x,
            String name,
            List<Curve> drawn) {
        List<Curve> curves = new ArrayList<>();
        for (Cell cell : cells) {
            Distribution found = part.apply(cell);
            if (found != null && found.curve() != null) {
                curves.add(new Curve(
                        List.of(cell.force(), Integer.toString(cell.sizeBytes()), name),
                        found,
                        DiskPalette.size(sizes, cell.sizeBytes())));
            }
        }
        drawn.addAll(curves);
        return panel(heading, curves, x);
    }

    /** The kinds of files, for the way of forcing that a log has by default; a panel for each size. */
    @Nullable
    Figure files(String force) {
        List<String> kinds = results.plan().files().stream()
                .filter(kind -> !kind.equals(FileKind.RANDOM.label()))
                .toList();
        List<Cell> cells = directory.cells().stream()
                .filter(cell -> cell.isSingle()
                        && cell.force().equals(force)
                        && kinds.contains(cell.file())
                        && cell.bothMicros() != null)
                .toList();
        if (kinds.size() < 2 || cells.isEmpty()) {
            return null;
        }
        return bySize(
                "disk-files" + suffix,
                "Initialised against growing files (" + force + ")",
                "Distribution functions of write and force together, for appends to a file that was written in full before and to one"
                        + " that grows.",
                kinds,
                cells.stream()
                        .map(cell -> new Curve(
                                List.of(Integer.toString(cell.sizeBytes()), cell.file()),
                                Objects.requireNonNull(cell.bothMicros()),
                                DiskPalette.name(kinds, cell.file())))
                        .toList(),
                "file");
    }

    /** Alone and sequential, at random places, and beside somebody else; a panel for each size. */
    @Nullable
    Figure company() {
        List<DiskComparisons.Row> rows = DiskComparisons.of(results, directory);
        if (rows.isEmpty()) {
            return null;
        }
        List<String> names =
                rows.get(0).ways().stream().map(DiskComparisons.Way::words).toList();
        List<Curve> curves = new ArrayList<>();
        for (DiskComparisons.Row row : rows) {
            for (DiskComparisons.Way way : row.ways()) {
                Distribution latency = way.latency();
                if (latency != null) {
                    curves.add(new Curve(
                            List.of(Integer.toString(row.sizeBytes()), way.words()),
                            latency,
                            DiskPalette.name(names, way.words())));
                }
            }
        }
        return bySize(
                "disk-company" + suffix,
                "The same append alone, at random places, and on a disk that others use ("
                        + rows.get(0).force() + ")",
                "Distribution functions of write and force together. "
                        + rows.stream()
                                .map(row -> Units.size(row.sizeBytes()) + ": "
                                        + row.ways().stream()
                                                .filter(way -> way.latency() != null)
                                                .map(way -> way.words() + " "
                                                        + Micros.text(Objects.requireNonNull(way.latency())
                                                                .p50())
                                                        + " µs at the median and "
                                                        + Micros.text(
                                                                way.latency().p99()) + " at the 99th percentile")
                                                .collect(Collectors.joining(", ")))
                                .collect(Collectors.joining("; "))
                        + ".",
                names,
                curves,
                "circumstance");
    }

    private Figure bySize(
            String name, String title, String alternative, List<String> names, List<Curve> curves, String column) {
        Axis x = micros(curves.stream().map(Curve::distribution));
        List<Panel> panels = new ArrayList<>();
        for (int bytes : sizes) {
            List<Curve> of = curves.stream()
                    .filter(curve -> curve.names().get(0).equals(Integer.toString(bytes)))
                    .toList();
            if (!of.isEmpty()) {
                panels.add(panel(Units.size(bytes), of, x));
            }
        }
        return new Figure(
                name,
                title,
                alternative,
                DiskPalette.names(names),
                inRows(panels),
                List.of(origin(), "Write and force together, one append at a time. Logarithmic time."),
                table(List.of("size bytes", column), curves));
    }

    /** What an append costs when several share a force; a panel for each way. */
    @Nullable
    Figure shared() {
        String usual = results.plan().files().get(0);
        List<Cell> cells = directory.cells().stream()
                .filter(cell -> cell.isAlone() && cell.file().equals(usual) && cell.perAppendMedianMicros() != null)
                .toList();
        List<Integer> depths = results.plan().shared();
        if (depths.size() < 2 || cells.isEmpty()) {
            return null;
        }
        int most = depths.get(depths.size() - 1);
        Axis x = new Axis(
                "appends that share a force",
                Axis.Scale.LOG,
                0.9,
                most * 1.1,
                depths.stream()
                        .map(depth -> new Tick(depth, Integer.toString(depth)))
                        .toList(),
                false);
        Axis y = Axis.log("median µs of each", cells.stream().mapToDouble(DiskFigures::each), HEIGHT, Micros::withUnit);
        List<Panel> panels = new ArrayList<>();
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (String force : cells.stream().map(Cell::force).distinct().toList()) {
            List<Mark> marks = new ArrayList<>();
            for (int bytes : sizes) {
                List<Cell> of = cells.stream()
                        .filter(cell -> cell.force().equals(force) && cell.sizeBytes() == bytes)
                        .toList();
                Style style = DiskPalette.size(sizes, bytes);
                marks.add(new Mark.Line(
                        of.stream().mapToDouble(Cell::appendsPerForce).toArray(),
                        of.stream().mapToDouble(DiskFigures::each).toArray(),
                        style,
                        false));
                of.forEach(cell ->
                        marks.add(new Mark.Point(cell.appendsPerForce(), each(cell), Mark.Shape.DOT, style.colour())));
                of.forEach(
                        cell -> rows.add(Table.row(force, bytes, cell.appendsPerForce(), cell.groups(), each(cell))));
            }
            panels.add(Panel.of(force, x, y, HEIGHT, marks));
        }
        return new Figure(
                "disk-shared" + suffix,
                "Appends that share a force",
                "Median time of a group, divided by its number of appends, for each way of forcing; a line for each size.",
                DiskPalette.sizes(sizes),
                inRows(panels),
                List.of(origin(), "A group is written with one write and forced once. File: " + usual + "."),
                new Table(List.of("force", "size bytes", "appends", "groups", "median µs of each"), rows));
    }

    private static double each(Cell cell) {
        return Objects.requireNonNullElse(cell.perAppendMedianMicros(), Double.NaN);
    }

    /** Directory and number; the line of the source has date, machine and disk. */
    private String origin() {
        int groups = directory.cells().stream().mapToInt(Cell::groups).sum();
        return directory.path() + ", " + Units.count(groups) + " groups.";
    }

    private static Panel panel(String heading, List<Curve> curves, Axis x) {
        List<Mark> marks = new ArrayList<>();
        for (Curve curve : curves) {
            DiskResults.Curve steps = curve.distribution().curve();
            if (steps != null) {
                marks.add(new Mark.Line(
                        Stream.concat(steps.micros().stream().limit(1), steps.micros().stream())
                                .mapToDouble(DiskFigures::drawable)
                                .toArray(),
                        DoubleStream.concat(
                                        DoubleStream.of(0),
                                        steps.ranks().stream()
                                                .mapToDouble(rank -> (double) rank
                                                        / curve.distribution().count()))
                                .toArray(),
                        curve.style(),
                        true));
            }
        }
        Axis y = new Axis("share at most", Axis.Scale.LINEAR, 0, 1, Ticks.linear(0, 1, 4, Ticks::percent), false);
        return Panel.of(heading, x, y, HEIGHT, marks);
    }

    /** A logarithmic axis has no place for 0, which a clock with coarse steps may tell. */
    private static double drawable(double micros) {
        return Math.max(0.01, micros);
    }

    private static Axis micros(Stream<? extends @Nullable Distribution> distributions) {
        List<Distribution> all = distributions.flatMap(Stream::ofNullable).collect(Collectors.toList());
        return Axis.log(
                "time",
                all.stream().flatMapToDouble(d -> DoubleStream.of(drawable(d.min()), drawable(d.max()))),
                PANEL_WIDTH,
                Micros::withUnit);
    }

    private static List<List<Panel>> inRows(List<Panel> panels) {
        List<List<Panel>> rows = new ArrayList<>();
        for (int from = 0; from < panels.size(); from += COLUMNS) {
            rows.add(withoutFurtherLabels(panels.subList(from, Math.min(panels.size(), from + COLUMNS))));
        }
        return rows;
    }

    private static List<Panel> withoutFurtherLabels(List<Panel> row) {
        List<Panel> panels = new ArrayList<>();
        for (Panel panel : row) {
            panels.add(panels.isEmpty() ? panel : panel.withY(panel.y().withoutLabels()));
        }
        return panels;
    }

    private static Table table(List<String> names, List<Curve> curves) {
        List<String> columns = new ArrayList<>(names);
        columns.addAll(List.of("n", "time µs", "share at most"));
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Curve curve : curves) {
            DiskResults.Curve steps = curve.distribution().curve();
            for (int i = 0; steps != null && i < steps.micros().size(); i++) {
                List<@Nullable Object> row = new ArrayList<>(curve.names());
                row.add(curve.distribution().count());
                row.add(steps.micros().get(i));
                row.add(Units.significant(
                        (double) steps.ranks().get(i) / curve.distribution().count(), 6));
                rows.add(row);
            }
        }
        return new Table(columns, rows);
    }
}
