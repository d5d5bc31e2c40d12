package io.plog.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plog.results.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What holds for the list of figures of every kind of page. */
public final class FigureList {
    private FigureList() {}

    /**
     * Fails if a column is empty, a figure is in no section, draws a table or a column that there is none of, has an axis without a unit, or too few
     * words for those who do not see it.
     *
     * @param tables of results that have everything
     * @param elsewhere figures that no section's items name
     */
    public static void check(String kind, List<Table> tables, Set<String> elsewhere) {
        JsonNode list = Page.list(kind);
        Map<String, Set<String>> columns = tables.stream()
                .collect(Collectors.toMap(
                        Table::name,
                        table ->
                                table.columns().stream().map(Table.Column::name).collect(Collectors.toSet())));
        Set<String> shown = new TreeSet<>(elsewhere);
        list.path("sections").findValues("figure").forEach(figure -> shown.add(figure.textValue()));
        Map<String, JsonNode> figures = list.path("figures").properties().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        assertThat(figures.keySet()).containsExactlyInAnyOrderElementsOf(shown);
        List<String> unknown = new ArrayList<>();
        for (Table table : tables) {
            for (int i = 0; i < table.columns().size(); i++) {
                int column = i;
                boolean end = table.columns().get(i).name().matches("(.* )?(low|high)"); // a figure may have none
                if (!end && table.rows().stream().allMatch(row -> row.get(column) == null)) {
                    unknown.add("what the column " + table.columns().get(i) + " of " + table.name() + " is mapped to");
                }
            }
        }
        figures.forEach((name, figure) -> {
            assertThat(columns.keySet()).as(name).contains(figure.path("table").textValue());
            assertThat(figure.path("words").textValue()).as("words of " + name).hasSizeGreaterThan(60);
            for (String side : List.of("x", "y")) {
                for (JsonNode axis : figure.findValues(side)) {
                    assertThat(axis.isValueNode()
                                    || axis.has("unit")
                                    || axis.has("like")
                                    || axis.path("scale").asText().equals("ordinal"))
                            .as("a unit of an axis of " + name + ": " + axis)
                            .isTrue();
                }
            }
            unknown(name, figure, columns, "", unknown);
        });
        list.path("sections").findParents("rows").forEach(item -> {
            Set<String> known = columns.get(item.path("rows").textValue());
            for (JsonNode column : item.path("columns")) {
                String path = column.path(1).asText();
                if (known != null && !path.startsWith("?") && !known.contains(path)) {
                    unknown.add(path + " of " + item.path("rows"));
                }
            }
        });
        assertThat(unknown).isEmpty();
    }

    /** A column that a figure maps is one that Java writes: a name misspelt would draw nothing. */
    private static void unknown(
            String path, JsonNode node, Map<String, Set<String>> columns, String table, List<String> unknown) {
        String own = node.path("table").asText(table);
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            JsonNode value = field.getValue();
            String where = path + "." + field.getKey();
            if (Set.of("of", "low", "high", "colour", "dodge", "by", "facet", "tell", "value", "series")
                            .contains(field.getKey())
                    && !path.endsWith("shape")) {
                texts(value).forEach(text -> {
                    if (!Set.of("joint").contains(text)
                            && !columns.getOrDefault(own, Set.of()).contains(text)) {
                        unknown.add(where + " = " + text + " of " + own);
                    }
                });
            } else if (value.isObject()) {
                unknown(where, value, columns, own, unknown);
            } else if (value.isArray()) {
                value.forEach(each -> unknown(where, each, columns, own, unknown));
            }
        }
    }

    private static List<String> texts(JsonNode node) {
        List<String> texts = new ArrayList<>();
        if (node.isTextual()) {
            texts.add(node.textValue());
        }
        node.forEach(each -> texts.addAll(texts(each)));
        return texts;
    }
}
