package io.plog.benchmarks.result;

import java.util.Locale;

/**
 * Writes a picture. There is no background, and the colours are of middle brightness, so that it can be read on a light page
 * and on a dark one. Coordinates are pixels, from the upper left.
 */
final class Svg {
    /** For text and axes. */
    static final String INK = "#7d7d7d";
    /** For grids: about a third of the ink. */
    static final String FAINT = "#8884";

    private final StringBuilder out = new StringBuilder();

    /** @param title what the picture shows, for who cannot see it */
    Svg(int width, int height, String title) {
        append(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\""
                        + " font-family=\"system-ui, sans-serif\" font-size=\"11\" fill=\"%s\">%n",
                width, height, width, height, INK);
        append("<title>%s</title>%n", escape(title));
    }

    /** The anchor is {@code start}, {@code middle} or {@code end}. */
    void text(double x, double y, String anchor, String text) {
        append("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, escape(text));
    }

    void heading(double x, double y, String text) {
        append("<text x=\"%.1f\" y=\"%.1f\" font-weight=\"bold\" font-size=\"13\">%s</text>%n", x, y, escape(text));
    }

    void bar(double x, double y, double width, double height, String colour) {
        append(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>%n",
                x, y, Math.max(0, width), height, colour);
    }

    void line(double x1, double y1, double x2, double y2, String colour, String dashes) {
        append(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-dasharray=\"%s\"/>%n",
                x1, y1, x2, y2, colour, dashes);
    }

    /** @param points such as {@code 1,2 3,4} */
    void curve(String points, String colour, String dashes) {
        append(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\" stroke-dasharray=\"%s\"/>%n",
                points, colour, dashes);
    }

    /** The whole document. */
    String end() {
        return out + "</svg>\n";
    }

    private void append(String format, Object... arguments) {
        out.append(String.format(Locale.ROOT, format, arguments));
    }

    static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
