package io.plog.report.chart;

import io.plog.report.cells.FigureData;
import io.plog.report.figure.Axis;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Panel;
import io.plog.report.figure.Style;
import io.plog.report.figure.Ticks;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The panels of one density figure, all with the same latency axis. On a logarithmic axis the height is the share of requests per
 * unit of ln(latency), on a linear one the share per microsecond, so that in both equal areas are equal shares.
 *
 * <p>The bins end at the greatest 99.9th percentile. A linear axis shows them all if the body fills at least a quarter of it;
 * else it ends at four times the greatest median, and an inset with an axis of its own goes on to the last bin.
 */
final class DensityPanels {
    private static final double HEIGHT = 165;
    private static final double BODY = 4;

    /** A logarithmic axis leaves out the slowest half percent: a few requests would squeeze the rest. */
    private static final double DRAWN_ON_LOG = 0.995;

    private final double[] edges;
    private final List<FigureData.Drawn> curves;
    private final boolean log;
    private final boolean ownHeight;
    private final Function<FigureData.Drawn, Style> style;
    private final List<Mark> references;
    private final int first;
    private final int last;
    private final int cut;

    /** Where a logarithmic axis ends: it holds every published value, too. */
    private final double reach;

    /**
     * Sets out the axes.
     *
     * @param ownHeight whether each panel has a vertical axis of its own: for curves so unlike that one would lie flat beside the others
     * @param references published values; a logarithmic axis reaches them all, on a linear one those beyond its end are not drawn
     */
    DensityPanels(
            FigureData.Bins bins,
            List<FigureData.Drawn> curves,
            boolean log,
            boolean ownHeight,
            Function<FigureData.Drawn, Style> style,
            List<Mark> references) {
        edges = bins.edges();
        this.curves = curves;
        this.log = log;
        this.ownHeight = ownHeight;
        this.style = style;
        this.references = references;
        first = Math.max(
                0, curves.stream().mapToInt(DensityPanels::firstOf).min().orElse(0) - 1);
        double farthest = references.stream()
                .filter(Mark.Reference.class::isInstance)
                .mapToDouble(mark -> ((Mark.Reference) mark).at())
                .max()
                .orElse(0);
        int end = log
                ? curves.stream()
                        .mapToInt(curve -> binReaching(curve, DRAWN_ON_LOG))
                        .max()
                        .orElse(0)
                : edges.length - 2;
        last = Math.min(edges.length - 2, Math.max(end + 1, log ? binBefore(farthest) : 0));
        reach = log ? Math.max(edges[last + 1], farthest * 1.12) : 0;
        cut = log ? last : bodyEnd();
    }

    /** The first bin that ends beyond a latency: a curve goes on as far as its axis does, if it has bins there. */
    private int binBefore(double micros) {
        int bin = 0;
        while (bin < edges.length - 2 && edges[bin + 1] < micros) {
            bin++;
        }
        return bin;
    }

    private static int firstOf(FigureData.Drawn curve) {
        return IntStream.range(0, curve.counts().length)
                .filter(i -> curve.counts()[i] > 0)
                .findFirst()
                .orElse(0);
    }

    /** The bin in which the curve's share reaches {@code share}. */
    private static int binReaching(FigureData.Drawn curve, double share) {
        long seen = 0;
        int reached = 0;
        for (int i = 0; i < curve.counts().length; i++) {
            if (seen < share * curve.count() && curve.counts()[i] > 0) {
                reached = i;
            }
            seen += curve.counts()[i];
        }
        return reached;
    }

    private int bodyEnd() {
        double median = curves.stream()
                .mapToDouble(curve -> edges[binReaching(curve, 0.5) + 1])
                .max()
                .orElse(1);
        int end = first;
        while (end < last && edges[end + 1] < BODY * median) {
            end++;
        }
        return end;
    }

    Panel panel(String heading, List<FigureData.Drawn> drawn, int panels, List<Mark> extra) {
        double pixels = DrawnFigures.panelWidth(panels);
        List<Mark> marks = new ArrayList<>(references);
        drawn.forEach(curve -> marks.add(line(curve, first, cut)));
        marks.addAll(extra);
        return Panel.of(
                        heading,
                        DrawnFigures.latency(
                                log ? edges[first] / margin() : 0, log ? reach : edges[cut + 1], log, pixels),
                        heightAxis(top(ownHeight ? drawn : curves, first, cut) * 1.06, log, HEIGHT),
                        HEIGHT,
                        marks)
                .with(cut < last ? inset(ownHeight ? drawn : curves, drawn, pixels) : null);
    }

    private @Nullable Panel inset(List<FigureData.Drawn> alike, List<FigureData.Drawn> drawn, double pixels) {
        double top = top(alike, cut + 1, last);
        if (top == 0) {
            return null;
        }
        return Panel.of(
                "tail, " + Ticks.number((double) Math.round(top(alike, first, cut) / top)) + " × magnified",
                unlabelled(DrawnFigures.latency(edges[cut + 1], edges[last + 1], false, pixels)),
                heightAxis(top * 1.1, false, 60).withoutLabels(),
                0,
                drawn.stream().map(curve -> (Mark) line(curve, cut + 1, last)).toList());
    }

    private static Axis unlabelled(Axis axis) {
        return new Axis("", axis.scale(), axis.min(), axis.max(), axis.ticks(), false);
    }

    /** From the axis: before the first bin there is nothing. Where more follows, the last point lies beyond the panel's edge. */
    private Mark.Line line(FigureData.Drawn curve, int from, int to) {
        int next = Math.min(to + 1, edges.length - 2);
        boolean rises = from == first;
        double[] x = new double[next - from + (rises ? 2 : 1)];
        double[] y = new double[x.length];
        int at = 0;
        if (rises) {
            x[at++] = edges[first] / (log ? Math.sqrt(margin()) : 1);
        }
        for (int bin = from; bin <= next; bin++, at++) {
            x[at] = middle(bin);
            y[at] = height(curve, bin);
        }
        return new Mark.Line(x, y, style.apply(curve), false);
    }

    /** Room before the first bin on a logarithmic axis, so that a curve that begins there is seen to rise: the width of a bin. */
    private double margin() {
        return edges[1] / edges[0];
    }

    private double middle(int bin) {
        return log ? Math.sqrt(edges[bin] * edges[bin + 1]) : (edges[bin] + edges[bin + 1]) / 2;
    }

    private double height(FigureData.Drawn curve, int bin) {
        double width = log ? Math.log(edges[bin + 1] / edges[bin]) : edges[bin + 1] - edges[bin];
        return (double) curve.counts()[bin] / curve.count() / width;
    }

    /** The height of a curve at a latency; 0 outside the bins. */
    double heightAt(FigureData.Drawn curve, double micros) {
        for (int i = first; i <= last; i++) {
            if (micros >= edges[i] && micros < edges[i + 1]) {
                return height(curve, i);
            }
        }
        return 0;
    }

    private double top(List<FigureData.Drawn> alike, int from, int to) {
        return alike.stream()
                .mapToDouble(curve -> IntStream.rangeClosed(from, to)
                        .mapToDouble(bin -> height(curve, bin))
                        .max()
                        .orElse(0))
                .max()
                .orElse(1);
    }

    static Axis heightAxis(double top, boolean log, double pixels) {
        double end = top > 0 ? top : 1;
        return new Axis(
                log ? "density per unit of ln(latency)" : "density per µs",
                Axis.Scale.LINEAR,
                0,
                end,
                Ticks.linear(0, end, (int) Math.max(2, pixels / 32), Ticks::number),
                false);
    }

    List<String> notes(Palette palette) {
        String units = "Probability density per "
                + (log ? "unit of ln(latency)" : "microsecond of latency")
                + ": equal areas are equal shares of the requests. Bins are "
                + String.format(Locale.ROOT, "%.1f", 100 * (edges[1] / edges[0] - 1))
                + " % wide, the same for every curve of the figure."
                + (ownHeight ? " Each panel has a vertical axis of its own." : "");
        String range = log
                ? "Curves are drawn from " + Micros.withUnit(edges[first]) + " to " + Micros.withUnit(edges[last + 1])
                        + "; "
                : "Cut at the greatest 99.9th percentile, " + Micros.withUnit(edges[last + 1])
                        + (cut < last ? "; the inset begins where the axis ends; " : "; ");
        FigureData.Drawn most =
                curves.stream().max(Comparator.comparingDouble(this::outside)).orElseThrow();
        double share = outside(most);
        return List.of(
                units,
                range
                        + (share == 0
                                ? "no request lies outside."
                                : "at most " + Units.percent(share) + " of a curve's requests lie outside ("
                                        + palette.label(most.target()) + ", " + Units.size(most.payloadBytes())
                                        + "); the figures of the tail show them."));
    }

    private double outside(FigureData.Drawn curve) {
        long inside = IntStream.rangeClosed(first, last)
                .mapToLong(bin -> curve.counts()[bin])
                .sum();
        return Math.max(0, 1 - (double) inside / curve.count());
    }
}
