package io.plog.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the lists of the pages may say, and what the scripts that read them look like. */
final class ListKeywordsTest {
    private static final Path RESOURCES = Path.of("src/main/resources/io/plog/page");
    private static final int MOST_CHARACTERS_OF_A_LINE = 120;
    private static final int MOST_BYTES_OF_SCRIPTS = 120_000;

    /** What these have are names of columns, values, figures and so on, not keywords. */
    private static final Set<String> BY_NAME = Set.of(
            "dimensions",
            "choices",
            "figures",
            "names",
            "where",
            "about",
            "cards",
            "reference",
            "variants",
            "shape.of");

    private static void keywords(JsonNode node, String within, Set<String> found) {
        node.forEach(each -> {
            if (node.isArray()) {
                keywords(each, within, found);
            }
        });
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            found.add(field.getKey());
            String name = within.equals("shape") ? "shape." + field.getKey() : field.getKey();
            if (BY_NAME.contains(name)) {
                Stream<JsonNode> named = name.equals("variants")
                        ? field.getValue().valueStream().flatMap(JsonNode::valueStream)
                        : field.getValue().valueStream();
                named.forEach(each -> {
                    if (!name.equals("where") || each.isObject()) {
                        keywords(each, name, found);
                    }
                });
            } else {
                keywords(field.getValue(), field.getKey(), found);
            }
        }
    }

    @Test
    void eachKeywordOfTheListsIsExplainedOnceAndReadByAScript() throws IOException {
        Set<String> used = new TreeSet<>();
        for (String kind : List.of("run", "disk", "study", "recovery", "list", "trend")) {
            keywords(Page.list(kind), "", used);
        }
        List<String> explained = Files.readString(Path.of("keywords.tsv"))
                .lines()
                .skip(1)
                .map(line -> line.split("\t"))
                .peek(fields -> assertThat(fields).hasSize(3))
                .map(fields -> fields[0])
                .toList();
        assertThat(explained).containsExactlyInAnyOrderElementsOf(used);
        StringBuilder readers = new StringBuilder(Files.readString(Path.of("src/main/java/io/plog/page/Page.java")));
        for (Path script : scripts()) {
            readers.append(Files.readString(script));
        }
        assertThat(explained)
                .allSatisfy(keyword ->
                        assertThat(readers).containsPattern("(?<![A-Za-z])\\Q" + keyword + "\\E(?![A-Za-z])"));
    }

    @Test
    void theScriptsAreLaidOutInShortLinesAndSmall() throws IOException {
        long bytes = 0;
        for (Path script : scripts()) {
            bytes += Files.size(script);
            assertThat(Files.readAllLines(script, UTF_8))
                    .as(script.toString())
                    .allMatch(line -> line.length() <= MOST_CHARACTERS_OF_A_LINE);
        }
        assertThat(bytes).isBetween(1L, (long) MOST_BYTES_OF_SCRIPTS);
    }

    private static List<Path> scripts() throws IOException {
        try (Stream<Path> files = Files.list(RESOURCES)) {
            return files.filter(file -> file.toString().endsWith(".js")).toList();
        }
    }
}
