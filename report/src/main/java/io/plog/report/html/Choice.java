package io.plog.report.html;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Buttons by which a reader chooses what a page shows. They need the page's script, which hides what is not chosen; without it they
 * are not shown.
 */
public final class Choice {
    private Choice() {}

    /**
     * One of the values that can be shown or not.
     *
     * @param value its name in the page's address
     * @param words on the button
     * @param colour of its lines, as {@code #rrggbb}
     * @param selector the CSS selector of what belongs to it
     */
    public record Value(String value, String words, String colour, String selector) {}

    /** Any of several values; empty if there is nothing to choose. */
    public static String anyOf(String name, String label, List<Value> values) {
        return values.size() < 2
                ? ""
                : group("chips\" data-any=\"" + name, label)
                        + values.stream()
                                .map(value ->
                                        "<button type=\"button\" aria-pressed=\"true\" title=\"Double-click: this one"
                                                + " alone\" value=\"" + Html.text(value.value()) + "\" data-selector=\""
                                                + Html.text(value.selector()) + "\"><i style=\""
                                                + Html.background(value.colour()) + "\"></i>" + Html.text(value.words())
                                                + "</button>")
                                .collect(Collectors.joining())
                        + "</div>\n";
    }

    /** One of several values, the first by itself; the document's {@code data-NAME} attribute holds it. */
    public static String oneOf(String name, String label, List<String> values) {
        return group("one\" data-one=\"" + name, label)
                + values.stream()
                        .map(value -> "<button type=\"button\" aria-pressed=\"" + value.equals(values.get(0))
                                + "\" value=\"" + value + "\">" + value + "</button>")
                        .collect(Collectors.joining())
                + "</div>\n";
    }

    /** The attribute selector of what belongs to a value, such as {@code [data-size="100"]}. */
    public static String selector(String attribute, String value) {
        return "[" + attribute + "=\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"]";
    }

    private static String group(String style, String label) {
        return "<div class=\"choice " + style + "\" role=\"group\" aria-label=\"" + label + "\"><span>" + label
                + "</span>";
    }
}
