package io.plog.report.chart;

import io.plog.report.cells.FigureData;
import io.plog.report.cells.TimeSeries;
import io.plog.report.figure.Axis;
import io.plog.report.figure.Axis.Tick;
import io.plog.report.figure.Figure;
import io.plog.report.figure.KeyEntry;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Panel;
import io.plog.report.figure.Style;
import io.plog.report.figure.Table;
import io.plog.report.figure.Ticks;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Every request of every cell in the order of time, and under it what interrupted client, server and machine meanwhile. */
final class SeriesFigure {
    private static final int COLUMNS = 4;
    private static final double HEIGHT = 74;
    private static final String LOGGING = "#b9750a";
    private static final String INTERRUPTION = "#1b1f24";

    private final FigureData figures;
    private final Palette palette;
    private final List<FigureData.Drawn> cells;

    private SeriesFigure(FigureData figures, Palette palette) {
        this.figures = figures;
        this.palette = palette;
        cells = figures.curves().stream().filter(curve -> !curve.isLogging()).toList();
    }

    static @Nullable Figure of(FigureData figures, Palette palette) {
        SeriesFigure figure = new SeriesFigure(figures, palette);
        return figure.cells.isEmpty() ? null : figure.draw();
    }

    private Figure draw() {
        int columns = Math.min(COLUMNS, palette.targets().size());
        List<KeyEntry> key = new ArrayList<>();
        palette.targets()
                .forEach(name -> key.add(KeyEntry.line(
                        "end to end, " + palette.label(name),
                        palette.target(name).withoutDash().wide(3))));
        if (!palette.logged().isEmpty()) {
            key.add(KeyEntry.line("logging", Style.solid(LOGGING, 3)));
        }
        return new Figure(
                "series",
                "Every request in the order of time",
                "Latency of each cell over its requests: the band reaches from the fastest to the slowest of a few"
                        + " consecutive requests, the line is their median. Slowest request of each cell: " + slowest(),
                key,
                rows(columns),
                List.of(
                        "Band: fastest to slowest of each short run of consecutive requests; line: the run's median. All panels"
                                + " share one logarithmic axis.",
                        figures.lanes().isEmpty()
                                ? "What interrupted client, server and machine was not recorded."
                                : "Under each panel: the events during these requests; a stroke is one event."),
                table());
    }

    private String slowest() {
        List<String> words = new ArrayList<>();
        for (FigureData.Drawn cell : cells) {
            words.add(palette.label(cell.target()) + ", " + Units.size(cell.payloadBytes()) + ": "
                    + Micros.withUnit(max(cell) / 1000.0));
        }
        return String.join("; ", words) + ".";
    }

    private static long max(FigureData.Drawn cell) {
        return Arrays.stream(cell.series().max()).max().orElse(1);
    }

    private List<List<Panel>> rows(int columns) {
        double min = figures.curves().stream()
                .flatMapToLong(curve -> Arrays.stream(curve.series().min()))
                .min()
                .orElse(1);
        double max = cells.stream().mapToLong(SeriesFigure::max).max().orElse(10);
        Axis y = latency(Math.max(1, min) / 1000 * 0.8, Math.max(max, min * 10) / 1000 * 1.6);
        List<List<Panel>> rows = new ArrayList<>();
        for (int from = 0; from < cells.size(); from += columns) {
            List<FigureData.Drawn> row = cells.subList(from, Math.min(cells.size(), from + columns));
            boolean last = from + columns >= cells.size();
            boolean lanes = !figures.lanes().isEmpty();
            rows.addAll(DrawnFigures.inRows(
                    row.stream().map(cell -> panel(cell, y, last && !lanes)).toList(), columns));
            if (lanes) {
                rows.addAll(DrawnFigures.inRows(
                        row.stream().map(cell -> lanes(cell, last)).toList(), columns));
            }
        }
        return rows;
    }

    private static Axis latency(double min, double max) {
        return new Axis(
                "latency", Axis.Scale.LOG, min, max, Ticks.log(min, max, 1.6 * HEIGHT, Micros::withUnit), false);
    }

    private static Axis requests(FigureData.Drawn cell, boolean labelled) {
        Axis axis = new Axis(
                labelled ? "request number" : "",
                Axis.Scale.LINEAR,
                1,
                Math.max(2.0, (double) cell.count()),
                Ticks.linear(1, Math.max(2.0, (double) cell.count()), 3, SeriesFigure::thousands),
                false);
        return labelled ? axis : axis.withoutLabels();
    }

    private static String thousands(double count) {
        return count >= 1000 && count % 100 == 0
                ? Ticks.number(count / 1000) + "k"
                : String.format(Locale.ROOT, "%.0f", count);
    }

    private Panel panel(FigureData.Drawn cell, Axis y, boolean labelled) {
        List<Mark> marks =
                new ArrayList<>(marks(cell, palette.target(cell.target()).colour()));
        figures.curves().stream()
                .filter(curve -> curve.isLogging()
                        && curve.target().equals(cell.target())
                        && curve.payloadBytes() == cell.payloadBytes())
                .forEach(curve -> marks.addAll(marks(curve, LOGGING)));
        return Panel.of(
                        Units.size(cell.payloadBytes()) + ", " + palette.label(cell.target()),
                        requests(cell, labelled),
                        y,
                        HEIGHT,
                        marks)
                .about(about(cell));
    }

    private static Map<String, String> about(FigureData.Drawn cell) {
        return Map.of("size", String.valueOf(cell.payloadBytes()), "target", cell.target());
    }

    private static Stream<Mark> mark(double[] x, long[] low, long[] high, long[] middle, String colour) {
        return Stream.of(
                new Mark.Band(x, micros(low), micros(high), colour, 0.4, true),
                new Mark.Line(x, micros(middle), Style.solid(colour, 1), false));
    }

    private List<Mark> marks(FigureData.Drawn curve, String colour) {
        Columns columns =
                Columns.of(curve.series(), curve.count(), palette.targets().size());
        return mark(columns.x(), columns.min(), columns.max(), columns.median(), colour)
                .toList();
    }

    private static double[] micros(long[] nanos) {
        return Arrays.stream(nanos).mapToDouble(n -> Math.max(1, n) / 1000.0).toArray();
    }

    /** Events that fell into a cell's turns, at the requests that they fell on. */
    private Panel lanes(FigureData.Drawn cell, boolean labelled) {
        List<FigureData.Lane> lanes = figures.lanes();
        List<Mark> marks = new ArrayList<>();
        for (int lane = 0; lane < lanes.size(); lane++) {
            double row = lanes.size() - 1 - lane;
            List<double[]> spans = InterruptionSpans.of(lanes.get(lane), cell.series(), cell.count());
            marks.add(new Mark.Spans(
                    spans.stream().mapToDouble(span -> span[0]).toArray(),
                    spans.stream().mapToDouble(span -> span[1]).toArray(),
                    row - 0.35,
                    row + 0.35,
                    INTERRUPTION));
        }
        List<Tick> names = new ArrayList<>();
        for (int lane = lanes.size() - 1; lane >= 0; lane--) {
            names.add(new Tick(
                    lanes.size() - 1 - lane,
                    lanes.get(lane).side() + " " + lanes.get(lane).kind()));
        }
        Axis y = new Axis("", Axis.Scale.LINEAR, -0.6, lanes.size() - 0.4, names, false);
        return Panel.of("", requests(cell, labelled), y, 10.0 * lanes.size(), marks)
                .about(about(cell));
    }

    private Table table() {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (FigureData.Drawn curve : figures.curves()) {
            TimeSeries series = curve.series();
            for (int i = 0; i < series.first().length; i++) {
                rows.add(Table.row(
                        curve.target(),
                        curve.payloadBytes(),
                        curve.isLogging() ? "logging" : "end to end",
                        series.first()[i] + 1,
                        series.startMillis()[i],
                        series.endMillis()[i],
                        series.min()[i] / 1000.0,
                        series.median()[i] / 1000.0,
                        series.max()[i] / 1000.0));
            }
        }
        return new Table(
                List.of(
                        "target",
                        "payload bytes",
                        "measure",
                        "first request",
                        "start ms",
                        "end ms",
                        "min µs",
                        "median µs",
                        "max µs"),
                rows);
    }

    /** A series as wide as it is drawn: a column for about two units, with the extremes of what it stands for. */
    @SuppressWarnings("ArrayRecordComponent") // plain data on its way to a figure
    private record Columns(double[] x, long[] min, long[] median, long[] max) {
        private static final int MOST = 60;

        static Columns of(TimeSeries series, long count, int targets) {
            int n = series.first().length;
            int columns = Math.min(n, targets < COLUMNS ? MOST : MOST * 2 / 3);
            Columns merged = new Columns(
                    new double[columns + 1], new long[columns + 1], new long[columns + 1], new long[columns + 1]);
            for (int c = 0; c < columns; c++) {
                int from = (int) ((long) n * c / columns);
                int to = (int) ((long) n * (c + 1) / columns);
                merged.x[c] = series.first()[from] + 1;
                merged.min[c] = Arrays.stream(series.min(), from, to).min().orElseThrow();
                merged.max[c] = Arrays.stream(series.max(), from, to).max().orElseThrow();
                long[] medians = Arrays.copyOfRange(series.median(), from, to);
                Arrays.sort(medians);
                merged.median[c] = medians[medians.length / 2];
            }
            merged.x[columns] = count;
            merged.min[columns] = merged.min[columns - 1];
            merged.max[columns] = merged.max[columns - 1];
            merged.median[columns] = merged.median[columns - 1];
            return merged;
        }
    }
}
