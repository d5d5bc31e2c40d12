package io.plog.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.measure.samples.RunInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ResultsSchemaTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static JsonNode schema() throws IOException {
        Path root = Path.of(Objects.requireNonNull(System.getProperty("plog.root"), "plog.root is set by the build"));
        return JSON.readTree(root.resolve("docs/results.schema.json").toFile());
    }

    private static List<String> violations(JsonNode results) throws IOException {
        List<String> violations = new ArrayList<>();
        JsonNode schema = schema();
        new SchemaCheck(schema, violations).check("results", schema, results);
        return violations;
    }

    private static JsonNode results(SyntheticRun run) throws IOException {
        return JSON.readTree(Report.json(Report.compute(run)));
    }

    @Test
    void aCompleteRunFollowsTheSchema() throws IOException {
        assertThat(violations(results(SyntheticRun.of(300, 3)))).isEmpty();
    }

    @Test
    void aRunWithoutAnyCountedRequestFollowsTheSchema() throws IOException {
        SyntheticRun run = SyntheticRun.of(0, 3).ending(Optional.of(new RunInfo.End(true, "interrupted", 1)));
        assertThat(violations(results(run))).isEmpty();
    }

    @Test
    void whatTheSchemaDoesNotAllowIsFound() throws IOException {
        ObjectNode results = (ObjectNode) results(SyntheticRun.of(30, 3));
        results.put("surprise", 1);
        ((ObjectNode) results.path("cells").get(0)).put("count", "many");
        ((ObjectNode) results.path("claims").get(0)).put("verdict", "perhaps");
        ((ObjectNode) results.path("cells").get(1).path("logMicros")).remove("p99");
        results.put("schemaVersion", 3);
        assertThat(violations(results)).hasSize(5);
    }
}
