package io.plog.report.html;

import io.plog.report.figure.Figure;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A section of a page under construction: its text and its figures. For one thread. */
public final class Section {
    /** Longer tables are in the CSV only: nobody reads them in a page. */
    private static final int MOST_ROWS = 400;

    private final String id;
    private final String heading;
    private final String source;
    private final StringBuilder html = new StringBuilder();
    private final List<Figure> figures = new ArrayList<>();

    /** An empty section; {@code id} is its anchor and must be its own in the page. */
    public Section(String id, String heading) {
        this(id, heading, "");
    }

    /** The same, whose figures have this source. */
    public Section(String id, String heading, String source) {
        this.id = id;
        this.heading = heading;
        this.source = source;
    }

    /** Says how to read what follows. */
    public Section reading(String text) {
        return add(Html.p("reading", text));
    }

    /** Says why something is not there. */
    public Section absent(String why) {
        return add(Html.p("empty", why));
    }

    /** Adds small print. */
    public Section note(String text) {
        return add(Html.p("note", text));
    }

    /** Adds markup. */
    public Section add(String markup) {
        html.append(markup);
        return this;
    }

    /** Adds a table that is always open. */
    public Section table(String caption, List<String> columns, List<List<String>> rows) {
        return add(Html.table(caption, columns, rows));
    }

    /** Adds a published table's remark on our figures; nothing if it has none. */
    public Section agreement(List<String> sentences) {
        if (!sentences.isEmpty()) {
            add("<div class=\"agreement\">" + sentences.stream().map(Html::p).collect(Collectors.joining())
                    + "</div>\n");
        }
        return this;
    }

    /** Adds a figure with its text and its table, or the reason why there is none. */
    public Section figure(@Nullable Figure drawn, String why) {
        if (drawn == null) {
            return absent(why);
        }
        Figure figure = source.isEmpty() ? drawn : drawn.from(source);
        drawing(figure);
        String table = figure.table().rows().size() <= MOST_ROWS
                ? Html.table(
                        figure.title(),
                        figure.table().columns(),
                        figure.table().rows().stream().map(Section::cells).toList())
                : Html.p("Its " + figure.table().rows().size() + " rows are in " + figure.name()
                        + ".csv, which plog report --figures writes.");
        return words(figure).add(Html.details("Table", table));
    }

    /**
     * Adds a figure alone, drawn twice: a phone shows the second one, whose panels stand below each other. {@link #words} adds its
     * text.
     */
    public Section drawing(Figure figure) {
        figures.add(figure);
        return add(drawn(figure, " wide", figure.name(), figure.svgElement()))
                .add(drawn(figure, " narrow", figure.name() + Figure.NARROW, figure.narrowSvgElement()));
    }

    private static String drawn(Figure figure, String style, String name, String svg) {
        return "<figure class=\"drawing" + style + "\" id=\"figure-" + name
                + "\" tabindex=\"0\" role=\"region\" aria-label=\"" + Html.text(figure.title()) + "\">\n"
                + ThemeColours.themed(svg)
                + "<figcaption class=\"actions\"><button type=\"button\" data-save=\"" + name
                + "\">Save SVG</button></figcaption></figure>\n";
    }

    /** Adds what figures say in words. */
    public Section words(Figure... said) {
        return add("<details class=\"table words\"><summary>In words</summary>"
                + Stream.of(said).map(figure -> Html.p(figure.alternative())).collect(Collectors.joining())
                + "</details>\n");
    }

    private static List<String> cells(List<@Nullable Object> row) {
        return row.stream()
                .map(value -> value instanceof Double number ? Units.fourDigits(number) : Objects.toString(value, "–"))
                .toList();
    }

    /** The figures in it, in the order of the page. */
    public List<Figure> figures() {
        return List.copyOf(figures);
    }

    /** The section as markup. */
    public String html() {
        return "<section class=\"figure\" id=\"" + id + "\">\n<h2>" + Html.text(heading) + "</h2>\n" + html
                + "</section>\n";
    }
}
