package io.plog.report.chart;

import io.plog.report.cells.FigureData;
import io.plog.report.figure.Axis;
import io.plog.report.figure.Axis.Tick;
import io.plog.report.figure.Figure;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Panel;
import io.plog.report.figure.Style;
import io.plog.report.figure.Table;
import io.plog.report.figure.Ticks;
import io.plog.stats.Ecdf;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** Distribution functions with their band, and the same seen from the tail on logarithmic axes. */
public final class EcdfFigures {
    private static final double HEIGHT = 150;
    private static final double CONFIDENCE = 0.95;

    /** Surely left of the axis: until the fastest request all are slower. */
    private static final double BEFORE_THE_AXIS = 1e6;

    private final FigureData figures;
    private final Palette palette;

    EcdfFigures(FigureData figures, Palette palette) {
        this.figures = figures;
        this.palette = palette;
    }

    @Nullable
    Figure ecdf(String measure) {
        boolean logging = measure.equals(FigureData.LOGGING);
        List<FigureData.Drawn> curves = of(measure);
        if (curves.isEmpty()) {
            return null;
        }
        Axis y = new Axis(
                "cumulative share (CDF)", Axis.Scale.LINEAR, 0, 1, Ticks.linear(0, 1, 5, EcdfFigures::percent), false);
        return new Figure(
                logging ? "ecdf-logging" : "ecdf-end-to-end",
                (logging ? "Logging" : "End-to-end") + " latency: distribution function",
                "Share of requests that took at most a given time, of " + what(logging) + ", as steps with a 95 % band."
                        + quantiles(curves),
                logging ? palette.sizeKey() : palette.targetKey(palette.targets()),
                panels(curves, logging, y, this::steps),
                List.of(
                        "Shaded: 95 % band of Dvoretzky, Kiefer, Wolfowitz and Massart, for independent requests; at the ends it"
                                + " says little, see the figure of the tail."),
                ecdfTable(curves));
    }

    @Nullable
    Figure tail(String measure) {
        boolean logging = measure.equals(FigureData.LOGGING);
        List<FigureData.Drawn> curves = of(measure);
        if (curves.isEmpty()) {
            return null;
        }
        double least =
                0.7 / curves.stream().mapToLong(FigureData.Drawn::count).max().orElseThrow();
        List<Tick> ticks = new ArrayList<>();
        for (int nines = 8; nines >= 0; nines--) {
            double share = Double.parseDouble("1e-" + nines);
            if (share >= least) {
                ticks.add(new Tick(share, nines > 4 ? perMillion(nines) : percent(share)));
            }
        }
        return new Figure(
                logging ? "tail-logging" : "tail-end-to-end",
                (logging ? "Logging" : "End-to-end") + " latency: the tail",
                "Share of requests that took longer than a given time, of " + what(logging)
                        + ", both axes logarithmic, so that one request in ten thousand can be seen."
                        + quantiles(curves),
                logging ? palette.sizeKey() : palette.targetKey(palette.targets()),
                panels(
                        curves,
                        logging,
                        new Axis("share slower (1 − CDF)", Axis.Scale.LOG, least, 1, ticks, false),
                        this::tail),
                List.of(
                        "The last step of a curve is its slowest request. Steps far to the right of a smooth curve are single"
                                + " events: the time series shows when they were."),
                tailTable(curves));
    }

    private static String what(boolean logging) {
        return logging
                ? "the logging latency; one panel per target, one curve per message size"
                : "the end-to-end latency; one panel per message size, one curve per target";
    }

    private String quantiles(List<FigureData.Drawn> curves) {
        StringBuilder text = new StringBuilder(" 99 % took at most:");
        for (FigureData.Drawn curve : curves) {
            text.append(' ')
                    .append(palette.label(curve.target()))
                    .append(", ")
                    .append(Units.size(curve.payloadBytes()))
                    .append(" about ")
                    .append(Micros.withUnit(at(curve, 0.99)))
                    .append(';');
        }
        return text.replace(text.length() - 1, text.length(), ".").toString();
    }

    /** The latency in microseconds that at least this share of the requests did not exceed, to the next knot. */
    public static double at(FigureData.Drawn curve, double share) {
        int knot = 0;
        while (curve.shareAtMost(knot) < share - 1e-9) {
            knot++;
        }
        return curve.ecdf()[0][knot] / 1000.0;
    }

    private List<FigureData.Drawn> of(String measure) {
        return figures.curves().stream()
                .filter(curve -> curve.measure().equals(measure))
                .toList();
    }

    /** How one curve is drawn in its style. */
    private interface Drawing {
        List<Mark> of(FigureData.Drawn curve, Style style);
    }

    private List<List<Panel>> panels(List<FigureData.Drawn> curves, boolean logging, Axis y, Drawing drawing) {
        List<List<FigureData.Drawn>> groups = logging
                ? palette.logged().stream()
                        .map(name -> curves.stream()
                                .filter(c -> c.target().equals(name))
                                .toList())
                        .toList()
                : palette.sizes().stream()
                        .map(size -> curves.stream()
                                .filter(c -> c.payloadBytes() == size)
                                .toList())
                        .toList();
        double min = curves.stream().mapToLong(c -> c.ecdf()[0][0]).min().orElseThrow() / 1000.0;
        double max = curves.stream()
                        .mapToLong(c -> c.ecdf()[0][c.ecdf()[0].length - 1])
                        .max()
                        .orElseThrow()
                / 1000.0;
        Axis x = DrawnFigures.latency(
                Math.max(0.001, min * 0.95), max * 1.05 + 0.001, true, DrawnFigures.panelWidth(groups.size()));
        List<Panel> panels = new ArrayList<>();
        for (List<FigureData.Drawn> group : groups) {
            if (!group.isEmpty()) {
                List<Mark> marks = new ArrayList<>();
                group.forEach(c -> marks.addAll(
                        drawing.of(c, logging ? palette.size(c.payloadBytes()) : palette.target(c.target()))));
                String heading = logging
                        ? palette.label(group.get(0).target())
                        : Units.size(group.get(0).payloadBytes());
                panels.add(Panel.of(heading, x, y, HEIGHT, marks)
                        .about(
                                logging
                                        ? Map.of("target", group.get(0).target())
                                        : Map.of(
                                                "size",
                                                String.valueOf(group.get(0).payloadBytes()))));
            }
        }
        return DrawnFigures.inRows(panels, DrawnFigures.COLUMNS);
    }

    private static double[] micros(FigureData.Drawn curve) {
        return Arrays.stream(curve.ecdf()[0])
                .mapToDouble(nanos -> nanos / 1000.0)
                .toArray();
    }

    private static double[] shares(FigureData.Drawn curve) {
        return Arrays.stream(curve.ecdf()[1])
                .mapToDouble(rank -> (double) rank / curve.count())
                .toArray();
    }

    /** Half the width of the 95 % band. */
    public static double band(FigureData.Drawn curve) {
        return new Ecdf(curve.count(), curve.ecdf()[0], curve.ecdf()[1]).band(CONFIDENCE);
    }

    private List<Mark> steps(FigureData.Drawn curve, Style style) {
        double[] x = micros(curve);
        double[] y = shares(curve);
        double half = band(curve);
        return List.of(
                new Mark.Band(
                        x,
                        DoubleStream.of(y)
                                .map(share -> Math.max(0, share - half))
                                .toArray(),
                        DoubleStream.of(y)
                                .map(share -> Math.min(1, share + half))
                                .toArray(),
                        style.colour(),
                        0.18,
                        true),
                new Mark.Line(beginning(x, x[0]), beginning(y, 0), style.wide(1.4), true));
    }

    /** With one more point before it: a step up from 0 at the fastest request, or from 100 % at the axis, not from mid-air. */
    private static double[] beginning(double[] values, double first) {
        return DoubleStream.concat(DoubleStream.of(first), DoubleStream.of(values))
                .toArray();
    }

    /** From all requests down to the slowest; the last knot, beyond which there is none, has no place on the axis. */
    private List<Mark> tail(FigureData.Drawn curve, Style style) {
        double[] x = micros(curve);
        double[] at = shares(curve);
        double[] slower = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            slower[i] = i == x.length - 1 ? 1.0 / curve.count() / 100 : 1 - at[i];
        }
        return List.of(
                new Mark.Line(beginning(x, x[0] / BEFORE_THE_AXIS), beginning(slower, 1), style.wide(1.4), true));
    }

    private static Table ecdfTable(List<FigureData.Drawn> curves) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (FigureData.Drawn curve : curves) {
            double half = band(curve);
            for (int i = 0; i < curve.ecdf()[0].length; i++) {
                double share = curve.shareAtMost(i);
                rows.add(Table.row(
                        curve.target(),
                        curve.payloadBytes(),
                        curve.ecdf()[0][i] / 1000.0,
                        Units.significant(share, 8),
                        Units.significant(Math.max(0, share - half), 6),
                        Units.significant(Math.min(1, share + half), 6)));
            }
        }
        return new Table(
                List.of("target", "payload bytes", "latency µs", "share at most", "band low", "band high"), rows);
    }

    private static Table tailTable(List<FigureData.Drawn> curves) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (FigureData.Drawn curve : curves) {
            for (int i = 0; i < curve.ecdf()[0].length; i++) {
                long slower = curve.count() - curve.ecdf()[1][i];
                rows.add(Table.row(
                        curve.target(),
                        curve.payloadBytes(),
                        curve.ecdf()[0][i] / 1000.0,
                        slower,
                        Units.significant((double) slower / curve.count(), 8)));
            }
        }
        return new Table(List.of("target", "payload bytes", "latency µs", "requests slower", "share slower"), rows);
    }

    /** Shorter than a percentage with so many digits, for which an axis has no room. */
    private static String perMillion(int nines) {
        return Units.plain(Math.round(Math.pow(10, 8 - nines)) / 100.0) + " ppm";
    }

    private static String percent(double share) {
        return Ticks.percent(share);
    }
}
