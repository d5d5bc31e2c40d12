package io.plog.report.figure;

import static io.plog.report.figure.SvgPath.number;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Draws the marks of one panel. Their text comes last, over the curves. */
final class SvgMarks {
    /** Half of the smallest side of a pointer target, in user units. */
    private static final double READING = 6;

    private final SvgOutput out;
    private final Panel panel;
    private final double left;
    private final double top;
    private final double width;
    private final double height;
    private final double font;

    /** The places that text already takes: line, from, to. */
    private final List<double[]> taken = new ArrayList<>();

    SvgMarks(SvgOutput out, Panel panel, double left, double top, double width, double height, double font) {
        this.out = out;
        this.panel = panel;
        this.left = left;
        this.top = top;
        this.width = width;
        this.height = height;
        this.font = font;
    }

    static void text(
            SvgOutput out, double x, double y, String anchor, double size, String colour, String more, String words) {
        out.append("<text x=\"" + number(x) + "\" y=\"" + number(y) + "\""
                + (anchor.equals("start") ? "" : " text-anchor=\"" + anchor + "\"")
                + (size == SvgFigure.FONT ? "" : " font-size=\"" + number(size) + "\"")
                + (colour.equals(SvgFigure.INK) ? "" : " fill=\"" + colour + "\"") + more + ">"
                + SvgFigure.escape(words)
                + "</text>\n");
    }

    /** The key's sample of a line, an area or a point, 26 units wide. */
    static void sample(SvgOutput out, KeyEntry entry, double x, double y) {
        Fill fill = entry.fill();
        Style line = entry.line();
        Mark.Shape shape = entry.shape();
        if (fill != null) {
            out.append("<rect x=\"" + number(x + 4) + "\" y=\"" + number(y - 6)
                    + "\" width=\"22\" height=\"12\" fill=\"" + SvgFills.of(out.figure(), fill) + "\"/>\n");
        }
        if (shape != null && line != null) {
            SvgSymbols.point(out.text(), x + 14, y, shape, line.colour());
        } else if (line != null) {
            out.append("<path d=\"M" + number(x) + " " + number(y) + "h27\"" + stroke(line) + out.name(line) + "/>\n");
        }
    }

    void draw(List<Mark> marks) {
        SvgSymbols symbols = new SvgSymbols(out, this, font);
        for (Mark mark : marks) {
            if (mark instanceof Mark.Words || (mark instanceof Mark.Reading && !out.live()) || symbols.take(mark)) {
                continue;
            }
            symbols.flush();
            if (mark instanceof Mark.Line line) {
                out.append("<path" + (out.live() ? " class=\"line\"" : "") + " d=\""
                        + corners(line.x(), line.y(), line.steps())
                                .simplified(line.steps() ? Polyline.SEEN_IN_STEPS : Polyline.SEEN)
                                .path()
                        + "\"" + stroke(line.style())
                        + out.name(line.style()) + "/>\n");
            } else if (mark instanceof Mark.Band band) {
                band(band);
            } else if (mark instanceof Mark.Reference reference && isInside(reference)) {
                reference(reference);
            } else if (mark instanceof Mark.Reading reading && out.live()) {
                reading(reading);
            }
        }
        symbols.flush();
    }

    /** What is written beside the marks. */
    void words() {
        for (Mark mark : panel.marks()) {
            if (mark instanceof Mark.Reference reference && !isInside(reference)) {
                continue;
            }
            if (mark instanceof Mark.Reference reference && reference.vertical()) {
                written(x(reference.at()) + 3, top + font, reference.words(), true, " class=\"reference\"");
            } else if (mark instanceof Mark.Reference reference) {
                written(left + 4, y(reference.at()) - 3, reference.words(), false, " class=\"reference\"");
            } else if (mark instanceof Mark.Words words) {
                written(x(words.x()) + 4, y(words.y()) - 4, words.words(), true, "");
            }
        }
    }

    /** Text that would leave the panel ends at its point; text that would cover other text moves to its other side, then down. */
    private void written(double at, double line, String words, boolean stack, String more) {
        double wide = SvgFigure.roomFor(words, font - 1);
        if (words.isEmpty() || at < left - 1 || at > left + width) {
            return;
        }
        double before = at - wide - 10;
        double from = at + wide > left + width ? Math.max(left + 2, before) : at;
        double down = Math.max(top + font - 1, line);
        if (stack && overlaps(down, from, from + wide) && before > left && !overlaps(down, before, before + wide)) {
            from = before;
        }
        while (stack && overlaps(down, from, from + wide)) {
            down += font + 1;
        }
        if (stack && down > top + height) {
            return; // no room left: the tables have it
        }
        taken.add(new double[] {down, from, from + wide});
        text(
                out,
                from,
                down,
                "start",
                font - 1,
                SvgFigure.SOFT,
                " stroke=\"#fff\" stroke-width=\"2.5\" paint-order=\"stroke\"" + more,
                words);
    }

    private boolean overlaps(double line, double from, double to) {
        return taken.stream().anyMatch(t -> Math.abs(t[0] - line) < font && from < t[2] + 4 && to + 4 > t[1]);
    }

    double x(double value) {
        return left + panel.x().place(value) * width;
    }

    double y(double value) {
        return top + height - panel.y().place(value) * height;
    }

    /** The same, kept within the panel's height. */
    double yWithin(double value) {
        return Math.max(top - 4, Math.min(top + height + 4, y(value)));
    }

    /** The same, but hardly beside the panel. */
    double xWithin(double value) {
        return Math.max(left - 4, Math.min(left + width + 4, x(value)));
    }

    private Polyline corners(double[] x, double[] y, boolean steps) {
        Polyline corners = new Polyline();
        for (int i = 0; i < x.length; i++) {
            if (steps && i > 0) {
                corners.to(x(x[i]), y(y[i - 1]));
            }
            corners.to(x(x[i]), y(y[i]));
        }
        return corners;
    }

    private void band(Mark.Band band) {
        Polyline high = corners(band.x(), band.high(), band.steps()).simplified(Polyline.SEEN_AT_EDGE);
        Polyline low = corners(band.x(), band.low(), band.steps()).simplified(Polyline.SEEN_AT_EDGE);
        out.append("<path d=\"" + high.backwards(low).path().close() + "\" fill=\"" + band.colour()
                + "\" fill-opacity=\"" + Ticks.number(band.opacity()) + "\"" + out.name(band.colour()) + "/>\n");
    }

    /** Invisible, and large enough for a finger. */
    private void reading(Mark.Reading reading) {
        double from = Math.min(x(reading.fromX()), x(reading.toX()) - READING);
        double to = Math.max(x(reading.toX()), x(reading.fromX()) + READING);
        double high = Math.min(y(reading.toY()), y(reading.fromY()) - READING);
        double low = Math.max(y(reading.fromY()), y(reading.toY()) + READING);
        out.append("<rect class=\"reading\" x=\"" + number(from) + "\" y=\"" + number(high) + "\" width=\""
                + number(to - from)
                + "\" height=\"" + number(low - high) + "\"><title>"
                + SvgFigure.escape(reading.words())
                + "</title></rect>\n");
    }

    /** A line that the axis does not reach is not drawn: at the edge it would stand for another value. */
    private boolean isInside(Mark.Reference reference) {
        double place = (reference.vertical() ? panel.x() : panel.y()).place(reference.at());
        return place >= 0 && place <= 1;
    }

    private void reference(Mark.Reference reference) {
        SvgPath path = reference.vertical()
                ? new SvgPath().move(x(reference.at()), top).line(x(reference.at()), top + height)
                : new SvgPath().move(left, y(reference.at())).line(left + width, y(reference.at()));
        out.append("<path class=\"reference\" d=\"" + path + "\"" + stroke(new Style("#8a929c", 1, List.of(4.0, 3.0)))
                + "/>\n");
    }

    static String stroke(Style style) {
        String dash = style.dash().isEmpty()
                ? ""
                : " stroke-dasharray=\""
                        + style.dash().stream().map(SvgPath::number).collect(Collectors.joining(" ")) + "\"";
        return " stroke=\"" + style.colour() + "\" stroke-width=\"" + number(style.width()) + "\" fill=\"none\"" + dash;
    }
}
