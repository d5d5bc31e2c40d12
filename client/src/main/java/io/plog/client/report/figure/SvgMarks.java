package io.plog.client.report.figure;

import static io.plog.client.report.figure.SvgPath.number;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Draws the marks of one panel; their words come last, over the curves and free to stand beside them. */
final class SvgMarks {
    /** Two steps closer than this, in user units, look like one. */
    private static final double SEEN = 0.6;

    private final StringBuilder out;
    private final Figure figure;
    private final Panel panel;
    private final double left;
    private final double top;
    private final double width;
    private final double height;
    private final double font;

    /** Where words stand already: line, from, to. */
    private final List<double[]> taken = new ArrayList<>();

    SvgMarks(
            StringBuilder out,
            Figure figure,
            Panel panel,
            double left,
            double top,
            double width,
            double height,
            double font) {
        this.out = out;
        this.figure = figure;
        this.panel = panel;
        this.left = left;
        this.top = top;
        this.width = width;
        this.height = height;
        this.font = font;
    }

    static void text(
            StringBuilder out,
            double x,
            double y,
            String anchor,
            double size,
            String colour,
            String more,
            String words) {
        out.append("<text x=\"" + number(x) + "\" y=\"" + number(y) + "\""
                + (anchor.equals("start") ? "" : " text-anchor=\"" + anchor + "\"")
                + (size == SvgFigure.FONT ? "" : " font-size=\"" + number(size) + "\"")
                + (colour.equals(SvgFigure.INK) ? "" : " fill=\"" + colour + "\"") + more + ">"
                + SvgFigure.escape(words)
                + "</text>\n");
    }

    /** The key's sample of a line, an area or a point, 26 units wide. */
    static void sample(StringBuilder out, Figure figure, KeyEntry entry, double x, double y) {
        Fill fill = entry.fill();
        Style line = entry.line();
        Mark.Shape shape = entry.shape();
        if (fill != null) {
            out.append("<rect x=\"" + number(x + 4) + "\" y=\"" + number(y - 6)
                    + "\" width=\"22\" height=\"12\" fill=\"" + SvgFills.of(figure, fill) + "\"/>\n");
        }
        if (shape != null && line != null) {
            shape(out, x + 14, y, shape, line.colour());
        } else if (line != null) {
            out.append("<path d=\"M" + number(x) + " " + number(y) + "h27\"" + stroke(line) + "/>\n");
        }
    }

    void draw(Mark mark) {
        if (mark instanceof Mark.Line line) {
            out.append("<path d=\"" + through(line.x(), line.y(), line.steps()) + "\"" + stroke(line.style()) + "/>\n");
        } else if (mark instanceof Mark.Band band) {
            band(band);
        } else if (mark instanceof Mark.Whisker whisker) {
            whisker(whisker);
        } else if (mark instanceof Mark.Box box) {
            box(box);
        } else if (mark instanceof Mark.Spans spans) {
            spans(spans);
        } else if (mark instanceof Mark.Reference reference) {
            reference(reference);
        } else if (mark instanceof Mark.Point point) {
            shape(out, x(point.x()), y(point.y()), point.shape(), point.colour());
        }
    }

    /** What is written beside the marks. */
    void words() {
        for (Mark mark : panel.marks()) {
            if (mark instanceof Mark.Reference reference && reference.vertical()) {
                written(x(reference.at()) + 3, top + font, reference.words(), true, " class=\"reference\"");
            } else if (mark instanceof Mark.Reference reference) {
                written(left + 4, y(reference.at()) - 3, reference.words(), false, " class=\"reference\"");
            } else if (mark instanceof Mark.Words words) {
                written(x(words.x()) + 4, y(words.y()) - 4, words.words(), true, "");
            }
        }
    }

    /** Words that would leave the panel end at their point; words that would stand over others go a line down. */
    private void written(double at, double line, String words, boolean stack, String more) {
        double wide = SvgFigure.widthOf(words, font - 1);
        if (words.isEmpty() || at < left - 1 || at > left + width) {
            return;
        }
        double from = at + wide > left + width ? Math.max(left + 2, at - wide - 6) : at;
        double down = Math.max(top + font - 1, line);
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

    private double x(double value) {
        return left + panel.x().place(value) * width;
    }

    private double y(double value) {
        return top + height - panel.y().place(value) * height;
    }

    /** Steps closer than {@link #SEEN} are drawn as one, at the height that the last of them reaches. */
    private SvgPath through(double[] x, double[] y, boolean steps) {
        SvgPath path = new SvgPath();
        double drawnX = 0;
        double drawnY = 0;
        for (int i = 0; i < x.length; i++) {
            double atX = x(x[i]);
            double atY = y(y[i]);
            boolean last = i == x.length - 1;
            if (i == 0) {
                path.move(atX, atY);
            } else if (steps && atX - drawnX < SEEN && !last) {
                drawnY = atY;
                continue;
            } else {
                path.line(steps ? drawnX : atX, steps ? drawnY : atY);
                if (steps) {
                    path.line(atX, drawnY).line(atX, atY);
                }
            }
            drawnX = atX;
            drawnY = atY;
        }
        return path;
    }

    private void band(Mark.Band band) {
        int n = band.x().length;
        SvgPath path = through(band.x(), band.high(), band.steps());
        double drawn = 0;
        for (int i = n - 1; i >= 0; i--) {
            boolean seen = i == n - 1 || i == 0 || drawn - x(band.x()[i]) >= SEEN;
            if (band.steps() && !seen) {
                continue;
            }
            drawn = x(band.x()[i]);
            path.line(drawn, y(band.low()[i]));
            if (band.steps() && i > 0) {
                path.line(drawn, y(band.low()[i - 1]));
            }
        }
        out.append("<path d=\"" + path.close() + "\" fill=\"" + band.colour() + "\" fill-opacity=\""
                + Ticks.number(band.opacity()) + "\"/>\n");
    }

    private void whisker(Mark.Whisker whisker) {
        double x = x(whisker.x());
        double low = Math.min(top + height + 4, y(whisker.low()));
        double high = Math.max(top - 4, y(whisker.high()));
        SvgPath path = new SvgPath().move(x, low).line(x, high);
        double half = whisker.cap() / 2;
        if (half > 0) {
            path.move(x - half, low).line(x + half, low).move(x - half, high).line(x + half, high);
        }
        out.append("<path d=\"" + path + "\"" + stroke(whisker.style()) + "/>\n");
    }

    private void box(Mark.Box box) {
        double from = x(box.fromX());
        double wide = Math.max(0.6, x(box.toX()) - from);
        double high = y(box.toY());
        double tall = y(box.fromY()) - high;
        out.append("<rect x=\"" + number(from) + "\" y=\"" + number(high) + "\" width=\"" + number(wide)
                + "\" height=\"" + number(tall) + "\" fill=\"" + SvgFills.of(figure, box.fill()) + "\"/>\n");
        if (!box.words().isEmpty() && SvgFigure.widthOf(box.words(), font - 2) + 2 < wide) {
            text(
                    out,
                    from + wide / 2,
                    high + tall / 2 + font * 0.3,
                    "middle",
                    font - 2,
                    SvgFigure.INK,
                    " stroke=\"#fff\" stroke-width=\"2.6\" paint-order=\"stroke\"",
                    box.words());
        }
    }

    private void spans(Mark.Spans spans) {
        SvgPath path = new SvgPath();
        double high = y(spans.high());
        double low = y(spans.low());
        for (int i = 0; i < spans.from().length; i++) {
            double from = x(spans.from()[i]);
            double to = Math.max(from + SEEN, x(spans.to()[i]));
            while (i + 1 < spans.from().length && x(spans.from()[i + 1]) <= to + SEEN / 2) {
                i++;
                to = Math.max(to, x(spans.to()[i]));
            }
            path.move(from, high).line(to, high).line(to, low).line(from, low).close();
        }
        if (!path.toString().isEmpty()) {
            out.append("<path d=\"" + path + "\" fill=\"" + spans.colour() + "\"/>\n");
        }
    }

    private void reference(Mark.Reference reference) {
        SvgPath path = reference.vertical()
                ? new SvgPath().move(x(reference.at()), top).line(x(reference.at()), top + height)
                : new SvgPath().move(left, y(reference.at())).line(left + width, y(reference.at()));
        out.append("<path class=\"reference\" d=\"" + path + "\"" + stroke(new Style("#8a929c", 1, List.of(4.0, 3.0)))
                + "/>\n");
    }

    private static void shape(StringBuilder out, double x, double y, Mark.Shape shape, String colour) {
        String drawn = switch (shape) {
            case DOT -> "<circle cx=\"" + number(x) + "\" cy=\"" + number(y) + "\" r=\"3.2\" fill=\"" + colour + "\"/>";
            case RING ->
                "<circle cx=\"" + number(x) + "\" cy=\"" + number(y) + "\" r=\"3.5\" fill=\"none\" stroke=\"" + colour
                        + "\" stroke-width=\"1.5\"/>";
            case DIAMOND ->
                "<path d=\"M" + number(x) + " " + number(y - 3.8) + "l3.8 3.8-3.8 3.8-3.8-3.8z\" fill=\"#fff\""
                        + " stroke=\"" + colour + "\" stroke-width=\"1.3\"/>";
        };
        out.append(drawn).append('\n');
    }

    static String stroke(Style style) {
        String dash = style.dash().isEmpty()
                ? ""
                : " stroke-dasharray=\""
                        + style.dash().stream().map(SvgPath::number).collect(Collectors.joining(" ")) + "\"";
        return " stroke=\"" + style.colour() + "\" stroke-width=\"" + number(style.width()) + "\" fill=\"none\"" + dash
                + (dash.isEmpty() ? " stroke-linejoin=\"round\"" : "");
    }
}
