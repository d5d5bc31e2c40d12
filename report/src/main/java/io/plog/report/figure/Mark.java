package io.plog.report.figure;

/** A mark in a panel, in the values of its axes. The edge of the panel clips it. */
public sealed interface Mark {

    /**
     * A curve through points, or steps that hold each value until the next point.
     *
     * @param x ascending
     */
    @SuppressWarnings("ArrayRecordComponent") // plain data on its way to a file; nobody compares two of them
    record Line(double[] x, double[] y, Style style, boolean steps) implements Mark {}

    /**
     * The area between two curves.
     *
     * @param x ascending
     * @param opacity from 0 to 1
     */
    @SuppressWarnings("ArrayRecordComponent") // as above
    record Band(double[] x, double[] low, double[] high, String colour, double opacity, boolean steps)
            implements Mark {}

    /**
     * A vertical bar from {@code low} to {@code high}.
     *
     * @param cap length of the strokes across its ends in user units; 0 for none
     */
    record Whisker(double x, double low, double high, Style style, double cap) implements Mark {}

    /**
     * A horizontal bar from {@code low} to {@code high}.
     *
     * @param cap length of the strokes across its ends in user units; 0 for none
     */
    record Range(double y, double low, double high, Style style, double cap) implements Mark {}

    /** A point. */
    record Point(double x, double y, Shape shape, String colour) implements Mark {}

    /** A filled rectangle, with a few words in its middle if there is room. */
    record Box(double fromX, double toX, double fromY, double toY, Fill fill, String words) implements Mark {}

    /** A grey line across the panel with a name, to compare with. */
    record Reference(double at, boolean vertical, String words) implements Mark {}

    /** Words at a point; they begin there, or end there if they would leave the panel. */
    record Words(double x, double y, String words) implements Mark {}

    /**
     * The text that a page shows when the pointer is on a place. A figure in a file of its own has none. Put it last: other marks would
     * cover them.
     */
    record Reading(double fromX, double toX, double fromY, double toY, String words) implements Mark {
        /** Words for a point. */
        public static Reading at(double x, double y, String words) {
            return new Reading(x, x, y, y, words);
        }
    }

    /** How a point looks. */
    enum Shape {
        /** A filled circle. */
        DOT,
        /** A diamond with an empty inside. */
        DIAMOND,
        /** A circle with an empty inside. */
        RING
    }
}
