package io.plog.report.figure;

import io.plog.report.figure.Fill.Hatch;
import java.util.LinkedHashSet;
import java.util.Set;

/** The hatches of a figure as SVG patterns. */
final class SvgFills {
    private SvgFills() {}

    /** The patterns that the figure uses; nothing if it uses none. */
    static String definitions(Figure figure) {
        Set<Fill> hatched = new LinkedHashSet<>();
        figure.rows()
                .forEach(row -> row.forEach(panel -> panel.marks().forEach(mark -> {
                    if (mark instanceof Mark.Box box && box.fill().hatch() != Hatch.NONE) {
                        hatched.add(box.fill());
                    }
                })));
        figure.key().forEach(entry -> {
            Fill fill = entry.fill();
            if (fill != null && fill.hatch() != Hatch.NONE) {
                hatched.add(fill);
            }
        });
        if (hatched.isEmpty()) {
            return "";
        }
        StringBuilder definitions = new StringBuilder("<defs>\n");
        for (Fill fill : hatched) {
            definitions
                    .append("<pattern id=\"" + id(figure, fill)
                            + "\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\">")
                    .append("<rect width=\"7\" height=\"7\" fill=\"" + fill.colour() + "\"/>")
                    .append(
                            "<path d=\"" + strokes(fill.hatch())
                                    + "\" stroke=\"#fff\" stroke-width=\"1.3\" stroke-linecap=\"round\" fill=\"none\"/></pattern>\n");
        }
        return definitions.append("</defs>\n").toString();
    }

    static String of(Figure figure, Fill fill) {
        return fill.hatch() == Hatch.NONE ? fill.colour() : "url(#" + id(figure, fill) + ")";
    }

    private static String id(Figure figure, Fill fill) {
        return SvgFigure.escape(figure.name()) + "-f" + fill.colour().substring(1) + fill.hatch();
    }

    private static String strokes(Hatch hatch) {
        return switch (hatch) {
            case NONE -> "";
            case RISING -> "M-1 8L8-1M-1 1L1-1M6 8L8 6";
            case FALLING -> "M-1-1L8 8M6-1L8 1M-1 6L1 8";
            case LYING -> "M0 3.5H7";
            case DOTS -> "M1.8 1.8h.01M5.3 5.3h.01";
        };
    }
}
