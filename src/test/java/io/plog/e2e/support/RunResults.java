package io.plog.e2e.support;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.StreamSupport;

/** The results directory of a run, as a user finds it. */
public final class RunResults {
    private static final List<String> STATISTICS =
            List.of("mean", "sd", "min", "p5", "p50", "p95", "p99", "p999", "max");

    private final JsonNode json;

    private RunResults(JsonNode json) {
        this.json = json;
    }

    /** Reads results.json, after checking that every file is there and that its cells have what is promised. */
    public static RunResults read(Path directory) throws IOException {
        for (String name : List.of("results.json", "report.html", "samples.plog")) {
            assertThat(directory.resolve(name)).isNotEmptyFile();
        }
        assertThat(Files.readString(directory.resolve("report.html")))
                .contains("<html")
                .doesNotContainPattern("(src|href)=\"https?:");
        RunResults results = new RunResults(
                new ObjectMapper().readTree(directory.resolve("results.json").toFile()));
        assertThat(results.json.path("schemaVersion").isInt()).isTrue();
        for (String part : List.of("environment", "plan", "cells", "claims", "validity")) {
            assertThat(results.json.has(part)).as("results.json has %s", part).isTrue();
        }
        results.cells().forEach(RunResults::checkCell);
        return results;
    }

    private static void checkCell(JsonNode cell) {
        if (cell.path("count").intValue() == 0) {
            return; // a partial run may have ended before it: there is nothing to be figured
        }
        checkDistribution(cell, "endToEndMicros");
        if (!cell.path("force").asText().equals("off")) {
            checkDistribution(cell, "logMicros");
        }
    }

    private static void checkDistribution(JsonNode cell, String name) {
        JsonNode distribution = cell.path(name);
        for (String statistic : STATISTICS) {
            assertThat(distribution.path(statistic).isNumber())
                    .as("%s.%s of %s", name, statistic, cell)
                    .isTrue();
        }
        assertThat(distribution.path("min").doubleValue()).isPositive();
        assertThat(distribution.path("max").doubleValue())
                .isGreaterThanOrEqualTo(distribution.path("p50").doubleValue());
    }

    /** All of results.json. */
    public JsonNode json() {
        return json;
    }

    public List<JsonNode> cells() {
        List<JsonNode> cells = new ArrayList<>();
        json.path("cells").forEach(cells::add);
        return cells;
    }

    /** The cells as {@code target/force/bytes}, in order. */
    public SortedSet<String> cellNames() {
        TreeSet<String> names = new TreeSet<>();
        for (JsonNode cell : cells()) {
            names.add(cell.path("target").asText() + "/" + cell.path("force").asText() + "/"
                    + cell.path("payloadBytes").asInt());
        }
        return names;
    }

    /** How many requests each cell counted. */
    public List<Integer> counts() {
        return cells().stream().map(cell -> cell.path("count").intValue()).toList();
    }

    public boolean isPartial() {
        return json.path("partial").path("partial").booleanValue();
    }

    public List<String> claims() {
        return StreamSupport.stream(json.path("claims").spliterator(), false)
                .map(claim -> claim.path("id").asText())
                .distinct()
                .toList();
    }
}
