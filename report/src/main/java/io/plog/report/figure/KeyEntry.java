package io.plog.report.figure;

import org.jspecify.annotations.Nullable;

/**
 * What a line, an area or a point of a figure means.
 *
 * @param line its line; null if it is none
 * @param fill its area; null if it is none
 * @param shape its point; null if it is none
 */
public record KeyEntry(
        String words, @Nullable Style line, @Nullable Fill fill, Mark.@Nullable Shape shape) {

    /** An entry for a line. */
    public static KeyEntry line(String words, Style style) {
        return new KeyEntry(words, style, null, null);
    }

    /** An entry for an area. */
    public static KeyEntry area(String words, Fill fill) {
        return new KeyEntry(words, null, fill, null);
    }

    /** An entry for a point. */
    public static KeyEntry point(String words, Mark.Shape shape, String colour) {
        return new KeyEntry(words, Style.solid(colour, 1.5), null, shape);
    }
}
