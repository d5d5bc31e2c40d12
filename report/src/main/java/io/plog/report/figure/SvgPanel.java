package io.plog.report.figure;

import static io.plog.report.figure.SvgPath.number;

import io.plog.report.figure.Axis.Tick;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Draws one panel: heading, axes, grid, marks, inset. */
final class SvgPanel {
    private static final double TICK_LABELS = 40;
    private static final double AXIS_LABEL = 15;

    private final SvgOutput out;
    private final String clip;
    private final double font;

    SvgPanel(SvgOutput out, String clip, double font) {
        this.out = out;
        this.clip = clip;
        this.font = font;
    }

    static double leftOf(Panel panel) {
        return panel.y().bare() ? 6 : TICK_LABELS + (panel.y().label().isEmpty() ? longest(panel) : AXIS_LABEL);
    }

    /** Names of rows need more room than numbers. */
    private static double longest(Panel panel) {
        double size = sizeOfNames(panel.y(), panel.height(), SvgFigure.FONT);
        return panel.y().ticks().stream()
                .mapToDouble(tick -> SvgFigure.roomFor(tick.label(), size) - TICK_LABELS + 8)
                .reduce(0, Math::max);
    }

    private static double sizeOfNames(Axis axis, double height, double font) {
        return Math.min(font, height / Math.max(1, axis.ticks().size()));
    }

    static double aboveOf(Panel panel) {
        return panel.heading().isEmpty() ? 8 : 24;
    }

    static double belowOf(Panel panel) {
        return panel.x().bare() ? 6 : panel.x().label().isEmpty() ? 20 : 36;
    }

    void draw(Panel panel, double left, double top, double width) {
        draw(panel, left, top, width, panel.height());
    }

    private void draw(Panel panel, double left, double top, double width, double height) {
        if (out.live()) {
            out.append("<g class=\"panel\" data-frame=\"" + number(left) + " " + number(top) + " " + number(width) + " "
                    + number(height) + "\"" + axis("x", panel.x()) + axis("y", panel.y()) + about(panel) + ">\n");
        }
        if (!panel.heading().isEmpty()) {
            double fits = width / SvgFigure.roomFor(panel.heading(), 1);
            text(
                    left,
                    top - 7,
                    "start",
                    Math.min(font + 0.5, Math.max(8, fits)),
                    SvgFigure.INK,
                    " font-weight=\"bold\"",
                    panel.heading());
        }
        xAxis(panel.x(), left, top, width, height);
        yAxis(panel.y(), left, top, width, height);
        out.append("<clipPath id=\"" + SvgFigure.escape(clip) + "\"><rect x=\"" + number(left) + "\" y=\""
                + number(top - 1) + "\" width=\"" + number(width) + "\" height=\"" + number(height + 2)
                + "\"/></clipPath>\n");
        SvgMarks marks = new SvgMarks(out, panel, left, top, width, height, font);
        out.append("<g clip-path=\"url(#" + SvgFigure.escape(clip) + ")\">\n");
        marks.draw(panel.marks());
        out.append("</g>\n");
        marks.words();
        Panel inset = panel.inset();
        if (inset != null) {
            inset(inset, left + width * 0.47, top + 2, width * 0.53, height * 0.6);
        }
        if (out.live()) {
            out.append("</g>\n");
        }
    }

    /** How a page finds the value at a place: scale, values at both ends, label. */
    private static String axis(String which, Axis axis) {
        return " data-" + which + "=\"" + axis.scale() + " " + axis.min() + " " + axis.max() + " "
                + SvgFigure.escape(axis.label()) + "\"";
    }

    private static String about(Panel panel) {
        return panel.about().entrySet().stream()
                .map(fact -> " data-" + fact.getKey() + "=\"" + SvgFigure.escape(fact.getValue()) + "\"")
                .collect(Collectors.joining());
    }

    private void inset(Panel inset, double left, double top, double width, double height) {
        out.append("<rect x=\"" + number(left) + "\" y=\"" + number(top) + "\" width=\"" + number(width)
                + "\" height=\"" + number(height) + "\" fill=\"#fff\" stroke=\"" + SvgFigure.GRID + "\"/>\n");
        double room = inset.y().bare() ? 6 : 36;
        new SvgPanel(out, clip + "i", font - 2).draw(inset, left + room, top + 20, width - room - 14, height - 20 - 18);
    }

    private void xAxis(Axis axis, double left, double top, double width, double height) {
        double bottom = top + height;
        SvgPath grid = new SvgPath();
        SvgPath strokes = new SvgPath();
        double free = Double.NEGATIVE_INFINITY;
        for (Tick tick : axis.ticks()) {
            double x = left + axis.place(tick.at()) * width;
            boolean labelled = !tick.label().isEmpty();
            if (labelled) {
                grid.move(x, top).line(x, bottom);
            }
            strokes.move(x, bottom).line(x, bottom + (labelled ? 4 : 2));
            double half = SvgFigure.widthOf(tick.label(), font) / 2;
            if (labelled && !axis.bare() && x - half > free) {
                text(x, bottom + 5 + font, "middle", font, SvgFigure.SOFT, "", tick.label());
                free = x + half + 4;
            }
        }
        path(grid, SvgFigure.GRID, 1);
        path(strokes.move(left, bottom).line(left + width, bottom), SvgFigure.SOFT, 0.8);
        if (!axis.bare() && !axis.label().isEmpty()) {
            text(left + width / 2, bottom + 8 + 2 * font, "middle", font, SvgFigure.SOFT, "", axis.label());
        }
    }

    private void yAxis(Axis axis, double left, double top, double width, double height) {
        SvgPath grid = new SvgPath();
        SvgPath strokes = new SvgPath();
        double bottom = top + height;
        double free = Double.POSITIVE_INFINITY;
        boolean names = axis.label().isEmpty(); // rows of bars or lanes need no lines between them
        double size = names ? sizeOfNames(axis, height, font) : font;
        for (Tick tick : upwards(axis)) {
            double y = bottom - axis.place(tick.at()) * height;
            boolean labelled = !tick.label().isEmpty();
            if (labelled && !names) {
                grid.move(left, y).line(left + width, y);
            }
            strokes.move(left, y).line(left - (labelled ? 4 : 2), y);
            if (labelled && !axis.bare() && y + size / 2 < free + 0.5) {
                text(left - 6, y + size * 0.35, "end", size, SvgFigure.SOFT, "", tick.label());
                free = y - size / 2;
            }
        }
        path(grid, SvgFigure.GRID, 1);
        path(strokes.move(left, top).line(left, bottom), SvgFigure.SOFT, 0.8);
        if (!axis.bare() && !axis.label().isEmpty()) {
            double x = left - TICK_LABELS - 4;
            double middle = top + height / 2;
            text(
                    x,
                    middle,
                    "middle",
                    font,
                    SvgFigure.SOFT,
                    " transform=\"rotate(-90 " + number(x) + " " + number(middle) + ")\"",
                    axis.label());
        }
    }

    private static List<Tick> upwards(Axis axis) {
        return axis.ticks().stream()
                .sorted(Comparator.comparingDouble(Tick::at))
                .toList();
    }

    private void path(SvgPath path, String colour, double width) {
        if (!path.toString().isEmpty()) {
            out.append("<path d=\"" + path + "\" stroke=\"" + colour + "\" stroke-width=\"" + number(width)
                    + "\" fill=\"none\"/>\n");
        }
    }

    private void text(double x, double y, String anchor, double size, String colour, String more, String words) {
        SvgMarks.text(out, x, y, anchor, size, colour, more, words);
    }
}
