package io.plog.report.figure;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a figure is drawn to.
 *
 * @param text takes the markup
 * @param live whether it becomes part of a page, which reads values from the drawing: lines then have the names of the figure's key,
 *     panels their axes. A file of its own has neither.
 */
record SvgOutput(StringBuilder text, Figure figure, boolean live) {

    SvgOutput append(String markup) {
        text.append(markup);
        return this;
    }

    /** What the key calls a line of this look, as an attribute with a space before; empty if it has no such line. */
    String name(Style style) {
        return name(style.colour(), style.dash());
    }

    /** The same for a mark with a colour and no dashes. */
    String name(String colour) {
        return name(colour, null);
    }

    private String name(String colour, @Nullable List<Double> dash) {
        if (!live) {
            return "";
        }
        KeyEntry found = null;
        for (KeyEntry entry : figure.key()) {
            Style line = entry.line();
            if (line != null
                    && line.colour().equals(colour)
                    && (found == null || line.dash().equals(dash))) {
                found = entry;
            }
        }
        return found == null ? "" : " data-name=\"" + SvgFigure.escape(found.words()) + "\"";
    }
}
