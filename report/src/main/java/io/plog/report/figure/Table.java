package io.plog.report.figure;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a figure draws, as rows of numbers and words.
 *
 * @param columns names with units
 * @param rows as many values each as there are columns: numbers, text, or null where there is none
 */
public record Table(List<String> columns, List<List<@Nullable Object>> rows) {

    /** A row. */
    public static List<@Nullable Object> row(@Nullable Object... values) {
        return Collections.unmodifiableList(Arrays.asList(values));
    }

    /** As RFC 4180 has it, but with line feeds alone: a heading, then the rows; no value is an empty field. */
    public String csv() {
        StringBuilder csv = new StringBuilder();
        line(csv, columns);
        rows.forEach(row -> line(csv, row));
        return csv.toString();
    }

    private static void line(StringBuilder csv, List<? extends @Nullable Object> fields) {
        csv.append(fields.stream().map(Table::field).collect(Collectors.joining(",")))
                .append('\n');
    }

    private static String field(@Nullable Object value) {
        if (value instanceof Double number) {
            return number.isNaN() || number.isInfinite() ? "" : plain(number);
        }
        String text = Objects.toString(value, "");
        return text.matches("(?s).*[\",\n\r].*") ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }

    private static String plain(double number) {
        BigDecimal decimal = BigDecimal.valueOf(number).stripTrailingZeros();
        return decimal.signum() == 0 ? "0" : decimal.toPlainString();
    }
}
