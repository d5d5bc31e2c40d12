package io.plog.results.table;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What one or several figures draw, as rows of numbers and words. It knows nothing of how they are drawn.
 *
 * @param name of its file, without an extension
 * @param keys how many of the first columns say what a row is about; rows with the same are one group
 * @param rows as many values each as there are columns: numbers, text, or null where there is none
 */
public record Table(String name, int keys, List<Column> columns, List<List<@Nullable Object>> rows) {
    /** Units that a column's heading names. */
    private static final Set<String> NAMED = Set.of("µs", "ms", "s", "bytes");

    /**
     * A column.
     *
     * @param unit {@code µs}, {@code ms}, {@code s}, {@code bytes}, {@code share} from 0 to 1, {@code count}, or empty for words and
     *     plain numbers
     */
    public record Column(String name, String unit) {
        /** Its name with its unit, as the heading in a CSV file. */
        public String heading() {
            return NAMED.contains(unit) ? name + " " + unit : name;
        }
    }

    /**
     * A table without rows.
     *
     * @param columns each a name, and behind a colon its unit if it has one: {@code latency:µs}
     */
    public static Table of(String name, int keys, String... columns) {
        return new Table(
                name,
                keys,
                Arrays.stream(columns)
                        .map(column -> column.split(":", 2))
                        .map(parts -> new Column(parts[0], parts.length > 1 ? parts[1] : ""))
                        .toList(),
                new ArrayList<>());
    }

    /**
     * A table of the program's own, from the resource {@code NAME.tsv}: columns as above in its first line, and tabs between values. A
     * column that has nothing but numbers is one of numbers.
     *
     * @param next the class next to which the resource is
     * @throws IllegalStateException if it is missing, which only a broken build can bring about
     */
    public static Table ofResource(Class<?> next, String name, int keys) {
        try (InputStream in = next.getResourceAsStream(name + ".tsv")) {
            if (in == null) {
                throw new IllegalStateException("resource " + name + ".tsv is missing from the program");
            }
            List<String[]> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.split("\t", -1))
                    .toList();
            List<String[]> rows = lines.subList(1, lines.size());
            Table table = of(name, keys, lines.get(0));
            rows.forEach(row -> table.row(IntStream.range(0, row.length)
                    .mapToObj(column -> rows.stream().allMatch(any -> any[column].matches("\\d+(\\.\\d+)?"))
                            ? (Object) Double.valueOf(row[column])
                            : row[column])
                    .toArray()));
            return table;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Table row(@Nullable Object... values) {
        if (values.length != columns.size()) {
            throw new IllegalArgumentException(
                    name + " has " + columns.size() + " columns, a row with " + values.length + " was given");
        }
        rows.add(Collections.unmodifiableList(Arrays.asList(values)));
        return this;
    }

    /** As RFC 4180 has it, but with line feeds alone: a heading, then the rows; no value is an empty field. */
    public String csv() {
        StringBuilder csv = new StringBuilder();
        line(csv, columns.stream().map(Column::heading).toList());
        rows.forEach(row -> line(csv, row));
        return csv.toString();
    }

    private static void line(StringBuilder csv, List<? extends @Nullable Object> fields) {
        csv.append(fields.stream().map(Table::field).collect(Collectors.joining(",")))
                .append('\n');
    }

    private static String field(@Nullable Object value) {
        Object known = known(value);
        if (known instanceof Double number) {
            BigDecimal decimal = BigDecimal.valueOf(number).stripTrailingZeros();
            return decimal.signum() == 0 ? "0" : decimal.toPlainString();
        }
        String text = Objects.toString(known, "");
        return text.matches("(?s).*[\",\n\r].*") ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }

    private static @Nullable Object known(@Nullable Object value) {
        return value instanceof Double number && (number.isNaN() || number.isInfinite()) ? null : value;
    }

    /** For a page: what each group is about, once, and its values column by column. */
    public Map<String, Object> packed() {
        Map<List<@Nullable Object>, List<List<@Nullable Object>>> groups = rows.stream()
                .collect(Collectors.groupingBy(row -> row.subList(0, keys), LinkedHashMap::new, Collectors.toList()));
        Function<List<List<@Nullable Object>>, List<List<@Nullable Object>>> byColumn =
                group -> IntStream.range(keys, columns.size())
                        .mapToObj(column -> group.stream()
                                .<@Nullable Object>map(row -> known(row.get(column)))
                                .collect(Collectors.toList()))
                        .toList();
        return Map.of(
                "name",
                name,
                "columns",
                columns,
                "groups",
                groups.entrySet().stream()
                        .map(group -> Map.of("key", group.getKey(), "values", byColumn.apply(group.getValue())))
                        .toList());
    }
}
