package io.plog.report.figure;

import java.util.List;

/**
 * How a line is drawn.
 *
 * @param colour as {@code #rrggbb}
 * @param width in user units
 * @param dash lengths of strokes and gaps in turn; empty for a solid line
 */
public record Style(String colour, double width, List<Double> dash) {

    /** Copies the dash pattern. */
    public Style {
        dash = List.copyOf(dash);
    }

    /** A solid line. */
    public static Style solid(String colour, double width) {
        return new Style(colour, width, List.of());
    }

    /** The same colour and pattern in another width. */
    public Style wide(double other) {
        return new Style(colour, other, dash);
    }

    /** The same colour without a pattern. */
    public Style withoutDash() {
        return solid(colour, width);
    }
}
