package io.plog.results.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.plog.stats.Percentile;
import io.plog.stats.text.Units;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Makes tables from a mapping, the resource {@code tables.json}: for each kind of results its tables by name, each with these keywords:
 *
 * <ul>
 *   <li>{@code keys}: how many of the first columns say what a row is about
 *   <li>{@code rows}: a list of steps. The first names a source, whose elements are read as they are in JSON. Each further one is a path
 *       within the element of the step before: an array stands for its elements, anything else for itself, and null for nothing. An
 *       object is several steps next to each other, by their names
 *   <li>{@code several}: true if an array of the last step needs more than one element to have rows
 *   <li>{@code having}: a path; rows where it leads to nothing are left out
 *   <li>{@code columns}: by the heading, and behind a colon the unit, a path; or a list of a path and the number of significant digits.
 *       Three headings with bars between them are a figure and both ends of its interval
 * </ul>
 *
 * A path has fields with dots between them. {@code ^} before it leads to the step before; {@code #} is the name of a step that has one,
 * else the position in an array, from 1. {@code [1]} takes an element by its index, from 0, {@code [p95]} the quantile of that
 * percentile, and {@code [#]} what is in the same place of another array, or has the same name. True is written as yes, false as no.
 * Stateless.
 */
public final class TableMapping {
    /** Makes of an element what the mapping reads. */
    public static final ObjectMapper JSON = new ObjectMapper();

    private static final JsonNode ALL = read();

    private TableMapping() {}

    private static JsonNode read() {
        try (InputStream in = TableMapping.class.getResourceAsStream("tables.json")) {
            return JSON.readTree(in);
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalStateException("the resource tables.json is missing from the program, or no JSON", e);
        }
    }

    /** An element with what it is called there, and the one around it. */
    private record Scope(
            JsonNode node, Object name, @Nullable Scope outer) {
        JsonNode at(String path) {
            if (path.contains("[#]")) {
                Object which = name instanceof Integer position ? position - 1 : name;
                return at(path.replace("[#]", "[" + which + "]"));
            }
            if (path.startsWith("^")) {
                return outer == null ? MissingNode.getInstance() : outer.at(path.substring(1));
            }
            if (path.equals("#")) {
                return JSON.valueToTree(name);
            }
            JsonNode found = node;
            for (String field : path.isEmpty() ? new String[0] : path.split("\\.")) {
                int bracket = field.indexOf('[');
                found = bracket < 0
                        ? found.path(field)
                        : element(
                                found.path(field.substring(0, bracket)),
                                field.substring(bracket + 1, field.length() - 1));
            }
            return found;
        }

        private static JsonNode element(JsonNode array, String which) {
            if (!array.isArray()) {
                return array.path(which);
            }
            if (Character.isDigit(which.charAt(0))) {
                return array.path(Integer.parseInt(which));
            }
            double q = Percentile.valueOf(which.toUpperCase(Locale.ROOT)).q();
            return elements(array)
                    .filter(each -> each.path("q").doubleValue() == q)
                    .findFirst()
                    .orElse(MissingNode.getInstance());
        }

        /** What a step leads to. */
        Stream<Scope> step(JsonNode step, boolean several) {
            return step.isTextual()
                    ? inner(at(step.textValue()), null, several)
                    : step.properties().stream()
                            .flatMap(each -> inner(at(each.getValue().textValue()), each.getKey(), several));
        }

        private Stream<Scope> inner(JsonNode found, @Nullable String called, boolean several) {
            List<Scope> all = new ArrayList<>();
            (found.isArray() ? elements(found) : Stream.of(found))
                    .filter(Scope::isSomething)
                    .forEach(each -> all.add(new Scope(each, called == null ? all.size() + 1 : called, this)));
            return several && all.size() < 2 ? Stream.of() : all.stream();
        }

        static boolean isSomething(JsonNode node) {
            return !node.isMissingNode() && !node.isNull();
        }
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(Spliterators.spliterator(array.iterator(), array.size(), 0), false);
    }

    /**
     * Those that have rows.
     *
     * @param kind of results, as the mapping names it
     * @param sources the elements of a source by its name
     */
    public static List<Table> tables(String kind, Function<String, ? extends Stream<?>> sources) {
        return ALL.path(kind).properties().stream()
                .map(each -> table(each.getKey(), each.getValue(), sources))
                .filter(table -> !table.rows().isEmpty())
                .toList();
    }

    private static Table table(String name, JsonNode mapping, Function<String, ? extends Stream<?>> sources) {
        List<Map.Entry<String, JsonNode>> columns =
                List.copyOf(mapping.path("columns").properties());
        Table table = Table.of(
                name,
                mapping.path("keys").intValue(),
                columns.stream()
                        .flatMap(column -> Stream.of(column.getKey().split("\\|")))
                        .toArray(String[]::new));
        JsonNode steps = mapping.path("rows");
        Stream<Scope> rows =
                sources.apply(steps.path(0).textValue()).map(element -> new Scope(JSON.valueToTree(element), "", null));
        for (int i = 1; i < steps.size(); i++) {
            JsonNode step = steps.path(i);
            boolean several = i == steps.size() - 1 && mapping.path("several").booleanValue();
            rows = rows.flatMap(scope -> scope.step(step, several));
        }
        String having = mapping.path("having").asText("");
        rows.filter(scope -> Scope.isSomething(scope.at(having)))
                .forEach(scope -> table.row(columns.stream()
                        .flatMap(column -> values(scope, column.getKey().contains("|"), column.getValue()))
                        .map(TableMapping::value)
                        .toArray()));
        return table;
    }

    private static Stream<JsonNode> values(Scope scope, boolean interval, JsonNode path) {
        if (path.isArray()) {
            JsonNode found = scope.at(path.path(0).textValue());
            return Stream.of(
                    found.isNumber()
                            ? JSON.getNodeFactory()
                                    .numberNode(Units.significant(
                                            found.doubleValue(), path.path(1).intValue()))
                            : found);
        }
        JsonNode found = scope.at(path.textValue());
        if (!interval) {
            return Stream.of(found);
        }
        JsonNode ends = found.has("interval") ? found.path("interval") : found;
        return Stream.of(
                Stream.of("value", "micros", "ratio")
                        .map(found::path)
                        .filter(JsonNode::isNumber)
                        .findFirst()
                        .orElse(MissingNode.getInstance()),
                ends.path("low"),
                ends.path("high"));
    }

    private static @Nullable Object value(JsonNode found) {
        return found.isNumber()
                ? found.numberValue()
                : found.isBoolean()
                        ? found.booleanValue() ? "yes" : "no"
                        : Scope.isSomething(found) ? found.asText() : null;
    }
}
