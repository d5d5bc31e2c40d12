package io.plog.benchmarks.result;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A table in Markdown: the first column to the left, the others to the right. For one thread. */
public final class MarkdownTable {
    private final StringBuilder text = new StringBuilder();

    /** Begins with the headings. */
    public MarkdownTable(String... headings) {
        row((Object[]) headings);
        text.append("|---").append("|--:".repeat(headings.length - 1)).append("|\n");
    }

    /** Adds a row; numbers have the digits that count. */
    public void row(@Nullable Object... cells) {
        text.append(Arrays.stream(cells).map(MarkdownTable::cell).collect(Collectors.joining(" | ", "| ", " |\n")));
    }

    private static String cell(@Nullable Object value) {
        return value instanceof String text ? text : number((Double) value);
    }

    /** Three digits that count: 1,234,567; 123; 12.3; 1.23; 0.0123. */
    public static String number(@Nullable Double value) {
        if (value == null || value.isNaN()) {
            return "-";
        }
        double size = Math.abs(value);
        String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 || size == 0 ? "%.2f" : "%.4f";
        return String.format(Locale.ROOT, format, value);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
