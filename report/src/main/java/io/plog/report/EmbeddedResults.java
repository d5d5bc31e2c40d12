package io.plog.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;

/**
 * {@link Results} as the page embeds them: all of {@code results.json}, but of the slowest requests only those that it shows,
 * because each of them comes with its parts and with what overlapped it. They are the slowest of the run and of each cell.
 */
final class EmbeddedResults {
    private static final int OF_THE_RUN = 20;
    private static final int OF_A_CELL = 5;

    private EmbeddedResults() {}

    static JsonNode of(Results results) {
        ObjectNode tree = Json.tree(results);
        double limit = slowestOfTheRun(results);
        for (JsonNode cell : tree.path("cells")) {
            ArrayNode kept = ((ObjectNode) cell).arrayNode();
            for (JsonNode slow : cell.path("slowest")) {
                if (kept.size() < OF_A_CELL || slow.path("endToEndMicros").doubleValue() >= limit) {
                    kept.add(slow);
                }
            }
            ((ObjectNode) cell).set("slowest", kept);
        }
        return tree;
    }

    /** The latency of the last that is among the slowest of the run; 0 if there are no more than those. */
    private static double slowestOfTheRun(Results results) {
        return results.cells().stream()
                .flatMap(cell -> cell.slowest().stream())
                .map(Results.Slow::endToEndMicros)
                .sorted(Comparator.reverseOrder())
                .skip(OF_THE_RUN - 1)
                .findFirst()
                .orElse(0.0);
    }
}
