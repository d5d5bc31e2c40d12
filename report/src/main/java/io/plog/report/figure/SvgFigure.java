package io.plog.report.figure;

import java.util.ArrayList;
import java.util.List;

/**
 * A figure as an SVG element: {@value #WIDTH} units wide, so that its text is about 8 points high across an A4 page and legible on a
 * slide; half as wide for a phone. Light, with patterns besides colours, and with fonts that are everywhere.
 */
final class SvgFigure {
    static final String INK = "#1b1f24";
    static final String SOFT = "#555e69";
    static final String GRID = "#e3e6ea";
    static final double FONT = 11;

    static final double WIDTH = 720;

    private static final double MARGIN = 10;
    private static final double RIGHT = 10;
    private static final double BETWEEN = 30; // half of the last label of an axis, and half of the first of the next
    private static final double LINE = 16;
    private static final String FONTS = "Helvetica Neue, Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif";

    /** Width of a character, as a share of its height, in the widest of the fonts: in another, words only take less room. */
    private static final double WIDEST = 0.62;

    private final Figure figure;
    private final double paper;
    private final StringBuilder body = new StringBuilder();
    private final SvgOutput out;
    private double y = MARGIN;
    private int clips;

    private SvgFigure(Figure figure, double paper, boolean live) {
        this.figure = figure;
        this.paper = paper;
        out = new SvgOutput(body, figure, live);
    }

    static String of(Figure figure, double paper, boolean live) {
        return new SvgFigure(figure, paper, live).draw();
    }

    /** Approximate width of a text: no font is loaded to measure it. */
    static double widthOf(String text, double size) {
        return text.length() * size * 0.54;
    }

    /** At most this wide, whichever font the reader has. */
    static double roomFor(String text, double size) {
        return text.length() * size * WIDEST;
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replaceAll("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f]", "?"); // not allowed in XML, even escaped
    }

    private String draw() {
        for (String line : wrapped(figure.title(), (int) ((paper - 2 * MARGIN) / (14 * 0.58)))) {
            y += 15;
            body.append("<text x=\"" + SvgPath.number(MARGIN) + "\" y=\"" + SvgPath.number(y)
                    + "\" font-size=\"14\" font-weight=\"bold\">" + escape(line) + "</text>\n");
        }
        y += 7;
        key();
        figure.rows().forEach(this::row);
        notes();
        String height = SvgPath.number(y + MARGIN);
        String name = escape(figure.name());
        String wide = SvgPath.number(paper);
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + wide + "\" height=\"" + height
                + "\" viewBox=\"0 0 " + wide + " " + height
                + "\" role=\"img\" aria-labelledby=\"" + name + "-title " + name + "-desc\" font-family=\"" + FONTS
                + "\" font-size=\"11\" fill=\"" + INK + "\" stroke-linejoin=\"round\">\n"
                + "<title id=\"" + name + "-title\">" + escape(figure.title()) + "</title>\n"
                + "<desc id=\"" + name + "-desc\">" + escape(figure.alternative()) + "</desc>\n"
                + SvgFills.definitions(figure) + "<rect width=\"" + wide + "\" height=\"" + height
                + "\" fill=\"#fff\"/>\n"
                + body
                + "</svg>\n";
    }

    private void key() {
        double x = MARGIN;
        if (figure.key().isEmpty()) {
            return;
        }
        y += LINE - 4;
        for (KeyEntry entry : figure.key()) {
            double width = 32 + widthOf(entry.words(), FONT) + 14;
            if (x + width > paper - MARGIN && x > MARGIN) {
                x = MARGIN;
                y += LINE;
            }
            SvgMarks.sample(out, entry, x, y - 4);
            body.append("<text x=\"" + SvgPath.number(x + 32) + "\" y=\"" + SvgPath.number(y) + "\">"
                    + escape(entry.words()) + "</text>\n");
            x += width;
        }
        y += 6;
    }

    private void row(List<Panel> panels) {
        int columns = figure.rows().stream().mapToInt(List::size).max().orElse(1);
        double[] left = new double[columns];
        for (List<Panel> row : figure.rows()) {
            for (int i = 0; i < row.size(); i++) {
                left[i] = Math.max(left[i], Math.max(i == 0 ? 0 : BETWEEN, SvgPanel.leftOf(row.get(i))));
            }
        }
        double lefts = java.util.Arrays.stream(left).sum();
        double width = (paper - 2 * MARGIN - lefts - columns * RIGHT) / columns;
        double above = panels.stream().mapToDouble(SvgPanel::aboveOf).max().orElse(0);
        double below = panels.stream().mapToDouble(SvgPanel::belowOf).max().orElse(0);
        double height = panels.stream().mapToDouble(Panel::height).max().orElse(0);
        double x = MARGIN;
        for (int i = 0; i < panels.size(); i++) {
            x += left[i];
            new SvgPanel(out, figure.name() + "-c" + clips++, FONT).draw(panels.get(i), x, y + above, width);
            x += width + RIGHT;
        }
        y += above + height + below;
    }

    private void notes() {
        int perLine = (int) ((paper - 2 * MARGIN) / (10 * 0.5));
        y += 4;
        List<String> notes = new ArrayList<>(figure.notes());
        if (!figure.source().isEmpty()) {
            notes.add(figure.source());
        }
        for (String note : notes) {
            for (String line : wrapped(note, perLine)) {
                y += 13;
                body.append("<text x=\"" + SvgPath.number(MARGIN) + "\" y=\"" + SvgPath.number(y)
                        + "\" font-size=\"10\" fill=\"" + SOFT + "\">" + escape(line) + "</text>\n");
            }
        }
    }

    private static List<String> wrapped(String text, int most) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (line.length() > 0 && line.length() + 1 + word.length() > most) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
