package io.plog.report.figure;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One coordinate system of a figure.
 *
 * @param heading above it; may be empty
 * @param height of the drawing area in user units, without labels
 * @param marks in the order of drawing
 * @param inset a smaller panel in its upper right corner; null if there is none
 */
public record Panel(
        String heading,
        Axis x,
        Axis y,
        double height,
        List<Mark> marks,
        @Nullable Panel inset) {

    /** Copies the marks. */
    public Panel {
        marks = List.copyOf(marks);
    }

    /** A panel without an inset. */
    public static Panel of(String heading, Axis x, Axis y, double height, List<Mark> marks) {
        return new Panel(heading, x, y, height, marks, null);
    }
}
