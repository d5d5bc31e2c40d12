package io.plog.report.study.page;

import io.plog.report.PageParts;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Pieces of markup; text is escaped here and nowhere else. Stateless. */
final class Html {
    /** What stands in a column of numbers: figures with units, intervals, nothing. */
    private static final Pattern NUMERIC =
            Pattern.compile("[<−+]? ?[0-9][0-9.,]*( (%|µs|ms|s|times))?( ?[\\[(][^a-z]*x?[\\])])?|–|");

    private Html() {}

    static String text(String text) {
        return PageParts.escape(text);
    }

    static String p(String style, String text) {
        return "<p class=\"" + style + "\">" + text(text) + "</p>\n";
    }

    static String p(String text) {
        return "<p>" + text(text) + "</p>\n";
    }

    static String heading(String text) {
        return "<h3 class=\"row\">" + text(text) + "</h3>\n";
    }

    static String details(String summary, String content) {
        return "<details class=\"table\"><summary>" + text(summary) + "</summary>\n" + content + "</details>\n";
    }

    /** A list of words and what they mean. */
    static String terms(String style, List<? extends List<String>> pairs) {
        return "<dl class=\"" + style + "\">"
                + pairs.stream()
                        .map(pair -> "<dt>" + text(pair.get(0)) + "</dt><dd>" + text(pair.get(1)) + "</dd>\n")
                        .collect(Collectors.joining())
                + "</dl>\n";
    }

    /** A table that scrolls sideways where it is wider than the page. */
    static String table(String caption, List<String> columns, List<List<String>> rows) {
        StringBuilder html = new StringBuilder("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"")
                .append(text(caption))
                .append("\"><table><caption>")
                .append(text(caption))
                .append("</caption><thead><tr>");
        boolean[] numeric = new boolean[columns.size()];
        for (int i = 0; i < columns.size(); i++) {
            int column = i;
            numeric[i] = rows.stream().anyMatch(row -> row.get(column).length() > 1)
                    && rows.stream()
                            .allMatch(row -> NUMERIC.matcher(row.get(column)).matches());
            html.append("<th scope=\"col\"" + style(numeric[i]) + ">")
                    .append(text(columns.get(i)))
                    .append("</th>");
        }
        html.append("</tr></thead><tbody>\n");
        for (List<String> row : rows) {
            html.append("<tr>");
            for (int i = 0; i < row.size(); i++) {
                html.append("<td" + style(numeric[i]) + ">")
                        .append(text(row.get(i)))
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
