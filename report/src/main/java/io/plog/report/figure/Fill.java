package io.plog.report.figure;

/**
 * How an area is filled: a colour, and a hatch that tells it from the others where there is no colour.
 *
 * @param colour as {@code #rrggbb}
 */
public record Fill(String colour, Hatch hatch) {

    /** Patterns in white over the colour. */
    public enum Hatch {
        /** The colour alone. */
        NONE,
        /** Lines rising to the right. */
        RISING,
        /** Lines falling to the right. */
        FALLING,
        /** Horizontal lines. */
        LYING,
        /** Dots. */
        DOTS
    }
}
