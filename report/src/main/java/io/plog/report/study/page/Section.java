package io.plog.report.study.page;

import io.plog.report.figure.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A section of the page while it is put together: what it says and which figures it has. For one thread. */
final class Section {
    /** Longer tables are left to the CSV: nobody reads them in a page. */
    private static final int MOST_ROWS = 400;

    private final String id;
    private final String heading;
    private final StringBuilder html = new StringBuilder();
    private final List<Figure> figures = new ArrayList<>();

    Section(String id, String heading) {
        this.id = id;
        this.heading = heading;
    }

    /** How to read what follows. */
    Section reading(String text) {
        html.append(Html.p("reading", text));
        return this;
    }

    /** Why something is not there. */
    Section absent(String why) {
        html.append(Html.p("empty", why));
        return this;
    }

    Section note(String text) {
        html.append(Html.p("note", text));
        return this;
    }

    Section add(String markup) {
        html.append(markup);
        return this;
    }

    Section table(String caption, List<String> columns, List<List<String>> rows) {
        html.append(Html.table(caption, columns, rows));
        return this;
    }

    /** What a published table says to ours. */
    Section agreement(List<String> sentences) {
        if (!sentences.isEmpty()) {
            html.append("<div class=\"agreement\">"
                    + sentences.stream().map(Html::p).collect(Collectors.joining()) + "</div>\n");
        }
        return this;
    }

    /** A figure whose lines and bars have the designs' colours, so that the page's chips can fade them. */
    Section byDesign(@Nullable Figure figure, String why) {
        return figure(figure, why, true);
    }

    /** A figure, or why there is none. */
    Section figure(@Nullable Figure figure, String why) {
        return figure(figure, why, false);
    }

    private Section figure(@Nullable Figure figure, String why, boolean byDesign) {
        if (figure == null) {
            return absent(why);
        }
        figures.add(figure);
        html.append("<figure class=\"still\" id=\"still-" + figure.name() + "\" data-inks=\""
                + (byDesign ? "designs" : "own") + "\" tabindex=\"0\" role=\"region\" aria-label=\""
                + Html.text(figure.title()) + "\">\n" + figure.svgElement() + "</figure>\n");
        html.append("<details class=\"table words\"><summary>In words</summary>" + Html.p(figure.alternative())
                + "</details>\n");
        if (figure.table().rows().size() <= MOST_ROWS) {
            html.append(Html.details(
                    "Table",
                    Html.table(
                            figure.title(),
                            figure.table().columns(),
                            figure.table().rows().stream().map(Section::cells).toList())));
        } else {
            html.append(Html.details(
                    "Table",
                    Html.p("Its " + figure.table().rows().size() + " rows are in " + figure.name()
                            + ".csv: under Copy or save, at Download, and from plog report --figures.")));
        }
        return this;
    }

    private static List<String> cells(List<@Nullable Object> row) {
        return row.stream()
                .map(value -> value instanceof Double number ? Words.significant(number) : Objects.toString(value, "–"))
                .toList();
    }

    List<Figure> figures() {
        return List.copyOf(figures);
    }

    String html() {
        return "<section class=\"figure\" id=\"" + id + "\">\n<h2>" + Html.text(heading) + "</h2>\n" + html
                + "</section>\n";
    }
}
