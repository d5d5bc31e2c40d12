package io.plog.report.figure;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One coordinate system of a figure.
 *
 * @param heading above it; may be empty
 * @param height of the drawing area in user units, without labels
 * @param marks in the order of drawing
 * @param inset a smaller panel in its upper right corner; null if there is none
 * @param about what it is about, such as a size, by names that a page can filter by; may be empty
 */
public record Panel(
        String heading,
        Axis x,
        Axis y,
        double height,
        List<Mark> marks,
        @Nullable Panel inset,
        Map<String, String> about) {

    /** Copies marks and facts; the facts by name, so that a page is the same each time that it is written. */
    public Panel {
        marks = List.copyOf(marks);
        about = Collections.unmodifiableMap(new TreeMap<>(about));
    }

    /** A panel without an inset. */
    public static Panel of(String heading, Axis x, Axis y, double height, List<Mark> marks) {
        return new Panel(heading, x, y, height, marks, null, Map.of());
    }

    /** The same with labels or without on its y axis. */
    public Panel withY(Axis other) {
        return new Panel(heading, x, other, height, marks, inset, about);
    }

    /** The same with labels on both axes. */
    Panel withLabels() {
        return new Panel(heading, x.withLabels(), y.withLabels(), height, marks, inset, about);
    }

    /** The same, about something. */
    public Panel about(Map<String, String> facts) {
        return new Panel(heading, x, y, height, marks, inset, facts);
    }

    /** The same with an inset. */
    public Panel with(@Nullable Panel other) {
        return new Panel(heading, x, y, height, marks, other, about);
    }
}
