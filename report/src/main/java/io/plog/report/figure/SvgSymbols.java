package io.plog.report.figure;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Draws the marks that come in hundreds, points, bars and boxes: those of one look that follow each other are one path. So bars lie
 * under the points that follow them.
 */
final class SvgSymbols {
    private final SvgOutput out;
    private final SvgMarks places;
    private final double font;

    /** By their attributes, in the order in which each was first asked for. */
    private final Map<String, SvgPath> paths = new LinkedHashMap<>();

    private final StringBuilder words = new StringBuilder();

    SvgSymbols(SvgOutput out, SvgMarks places, double font) {
        this.out = out;
        this.places = places;
        this.font = font;
    }

    /** A single point. */
    static void point(StringBuilder out, double x, double y, Mark.Shape shape, String colour) {
        SvgPath path = new SvgPath();
        add(path, x, y, shape);
        out.append("<path d=\"" + path + "\"" + look(shape, colour) + "/>\n");
    }

    /** Keeps a mark for the next {@link #flush}; false if it is of another kind. */
    boolean take(Mark mark) {
        if (mark instanceof Mark.Point point) {
            add(
                    path(look(point.shape(), point.colour()) + out.name(point.colour())),
                    places.x(point.x()),
                    places.y(point.y()),
                    point.shape());
        } else if (mark instanceof Mark.Whisker whisker) {
            double x = places.x(whisker.x());
            double low = places.yWithin(whisker.low());
            double high = places.yWithin(whisker.high());
            double half = whisker.cap() / 2;
            SvgPath path = path(SvgMarks.stroke(whisker.style())
                            + out.name(whisker.style().colour()))
                    .move(x, low)
                    .line(x, high);
            if (half > 0) {
                path.move(x - half, high)
                        .line(x + half, high)
                        .move(x - half, low)
                        .line(x + half, low);
            }
        } else if (mark instanceof Mark.Range range) {
            double y = places.y(range.y());
            double low = places.xWithin(range.low());
            double high = places.xWithin(range.high());
            double half = range.cap() / 2;
            SvgPath path = path(SvgMarks.stroke(range.style())
                            + out.name(range.style().colour()))
                    .move(low, y)
                    .line(high, y);
            if (half > 0) {
                path.move(high, y - half)
                        .line(high, y + half)
                        .move(low, y - half)
                        .line(low, y + half);
            }
        } else if (mark instanceof Mark.Box box) {
            box(box);
        } else {
            return false;
        }
        return true;
    }

    private void box(Mark.Box box) {
        double from = places.x(box.fromX());
        double wide = Math.max(0.6, places.x(box.toX()) - from);
        double high = places.y(box.toY());
        double low = places.y(box.fromY());
        path(" fill=\"" + SvgFills.of(out.figure(), box.fill()) + "\"")
                .move(from, high)
                .line(from + wide, high)
                .line(from + wide, low)
                .line(from, low)
                .close();
        if (!box.words().isEmpty() && SvgFigure.widthOf(box.words(), font - 2) + 2 < wide) {
            words.append("<text x=\"" + SvgPath.number(from + wide / 2) + "\" y=\""
                    + SvgPath.number((high + low) / 2 + font * 0.3) + "\">" + SvgFigure.escape(box.words())
                    + "</text>\n");
        }
    }

    private SvgPath path(String look) {
        return paths.computeIfAbsent(look, key -> new SvgPath());
    }

    /** Draws what was taken. */
    void flush() {
        paths.forEach((look, path) -> out.append("<path d=\"" + path + "\"" + look + "/>\n"));
        paths.clear();
        if (words.length() > 0) {
            out.append("<g text-anchor=\"middle\" font-size=\"" + SvgPath.number(font - 2)
                    + "\" stroke=\"#fff\" stroke-width=\"2.6\" paint-order=\"stroke\">\n" + words + "</g>\n");
            words.setLength(0);
        }
    }

    private static void add(SvgPath path, double x, double y, Mark.Shape shape) {
        switch (shape) {
            case DOT -> path.dot(x, y);
            case RING -> path.circle(x, y, 3.5);
            case DIAMOND ->
                path.move(x, y - 3.8)
                        .line(x + 3.8, y)
                        .line(x, y + 3.8)
                        .line(x - 3.8, y)
                        .close();
        }
    }

    private static String look(Mark.Shape shape, String colour) {
        return " stroke=\"" + colour + "\""
                + switch (shape) {
                    case DOT -> " stroke-width=\"6.4\" stroke-linecap=\"round\" fill=\"none\"";
                    case RING -> " stroke-width=\"1.5\" fill=\"none\"";
                    case DIAMOND -> " stroke-width=\"1.3\" fill=\"#fff\"";
                };
    }
}
