package io.plog.report.html;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Pieces of markup. Text is escaped here and nowhere else: parameters called {@code markup} or {@code content} are markup already,
 * all others are text. Stateless; safe for any thread.
 */
public final class Html {
    /** The cells of a column of numbers: values with units, intervals, dashes. */
    private static final Pattern NUMERIC = Pattern.compile(
            "[<−+×]? ?[0-9][0-9.,]*\\*?( (%|µs|ms|s|times))?( ?[\\[(][^a-z]*x?[\\])])?|[\\[(][0-9…][^a-z]*|–|");

    private Html() {}

    /**
     * A row of a table.
     *
     * @param attributes of its {@code tr} element, as markup with a space before; may be empty
     * @param cells one for each column
     */
    public record Row(String attributes, List<Cell> cells) {
        /** A row of texts. */
        public static Row of(List<String> texts) {
            return new Row("", texts.stream().map(Cell::of).toList());
        }
    }

    /**
     * A cell of a table.
     *
     * @param text what it says, to tell whether its column is one of numbers
     * @param markup how it says it
     */
    public record Cell(String text, String markup) {
        /** A text. */
        public static Cell of(String text) {
            return new Cell(text, Html.text(text));
        }

        /** A longer text, which may take several lines. */
        public static Cell wrapped(String text) {
            return new Cell(text, "<span class=\"wrapped\">" + Html.text(text) + "</span>");
        }
    }

    /** Text as it may stand between tags and in quoted attributes. */
    public static String text(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** A paragraph of a style. */
    public static String p(String style, String text) {
        return "<p class=\"" + style + "\">" + text(text) + "</p>\n";
    }

    /** A paragraph. */
    public static String p(String text) {
        return "<p>" + text(text) + "</p>\n";
    }

    /** The heading of a part of a section. */
    public static String heading(String text) {
        return "<h3 class=\"row\">" + text(text) + "</h3>\n";
    }

    /** Content that is shown on request. */
    public static String details(String summary, String content) {
        return "<details class=\"table\"><summary>" + text(summary) + "</summary>\n" + content + "</details>\n";
    }

    /** A list of words and what they mean; each pair is a word and its meaning. */
    public static String terms(String style, List<? extends List<String>> pairs) {
        return "<dl class=\"" + style + "\">"
                + pairs.stream()
                        .map(pair -> "<dt>" + text(pair.get(0)) + "</dt><dd>" + text(pair.get(1)) + "</dd>\n")
                        .collect(Collectors.joining())
                + "</dl>\n";
    }

    /** A heading with a list of facts, or with the remark that there is none. */
    public static String facts(String heading, List<? extends List<String>> pairs) {
        return "<div class=\"facts\"><h3>" + text(heading) + "</h3>\n"
                + (pairs.isEmpty() ? p("empty", "Nothing is known.") : terms("", pairs)) + "</div>\n";
    }

    /**
     * A verdict as a coloured word.
     *
     * @param style {@code holds}, {@code fails}, {@code undecided} or {@code not-testable}
     * @param sign stands before the words for readers who see no colour
     */
    public static String badge(String style, String sign, String words) {
        return "<span class=\"badge " + text(style) + "\"><b aria-hidden=\"true\">" + sign + "</b> " + text(words)
                + "</span>";
    }

    /** A declaration that gives an element a drawing's colour, {@code #rrggbb}. */
    public static String background(String colour) {
        return "background:" + ThemeColours.variable(colour);
    }

    /** A table of texts, one for each column, that scrolls sideways where it is wider than the page. */
    public static String table(String caption, List<String> columns, List<List<String>> rows) {
        return tableOf(caption, columns, rows.stream().map(Row::of).toList());
    }

    /** The same of rows with markup in their cells. */
    public static String tableOf(String caption, List<String> columns, List<Row> rows) {
        StringBuilder html = new StringBuilder("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"")
                .append(text(caption))
                .append("\"><table><caption>")
                .append(text(caption))
                .append("</caption><thead><tr>");
        boolean[] numeric = new boolean[columns.size()];
        for (int i = 0; i < columns.size(); i++) {
            int column = i;
            numeric[i] =
                    rows.stream().anyMatch(row -> row.cells().get(column).text().length() > 1)
                            && rows.stream()
                                    .allMatch(row -> NUMERIC.matcher(
                                                    row.cells().get(column).text())
                                            .matches());
            html.append("<th scope=\"col\"" + style(numeric[i]) + ">")
                    .append(text(columns.get(i)))
                    .append("</th>");
        }
        html.append("</tr></thead><tbody>\n");
        for (Row row : rows) {
            html.append("<tr" + row.attributes() + ">");
            for (int i = 0; i < row.cells().size(); i++) {
                html.append("<td" + style(numeric[i]) + ">")
                        .append(row.cells().get(i).markup())
                        .append("</td>");
            }
            html.append("</tr>\n");
        }
        return html.append("</tbody></table></div>\n").toString();
    }

    private static String style(boolean numeric) {
        return numeric ? " class=\"number\"" : "";
    }
}
