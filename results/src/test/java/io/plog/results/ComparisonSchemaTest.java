package io.plog.results;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.results.compare.Assessor;
import io.plog.results.compare.Gate;
import io.plog.results.compare.TestRun;
import io.plog.results.model.ResultsFile;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ComparisonSchemaTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static List<String> violations(JsonNode comparison) throws IOException {
        return Schemas.violations("comparison.schema.json", comparison);
    }

    private static JsonNode assessed(@Nullable TestRun a, TestRun b, String... gates) throws Exception {
        List<Gate> parsed = List.of(gates).stream().map(Gate::parse).toList();
        return JSON.readTree(ResultsFile.json(Assessor.of(
                a == null ? null : new Assessor.Input("a", a, Analysis.results(a)),
                new Assessor.Input("b", b, Analysis.results(b)),
                new Assessor.Request(null, parsed, false, false))));
    }

    @Test
    void whatIsWrittenFollowsTheSchema() throws Exception {
        assertThat(violations(assessed(
                        TestRun.of(200, 1),
                        TestRun.of(200, 2),
                        "endToEnd.p99 > 1.1x",
                        "write.max < 1ms",
                        "requestsPerSecond < 10")))
                .isEmpty();
        assertThat(violations(assessed(null, TestRun.of(20, 1).failing(20), "log.p50 > 1ms")))
                .isEmpty();
    }

    @Test
    void whatTheSchemaDoesNotAllowIsFound() throws Exception {
        ObjectNode comparison = (ObjectNode) assessed(TestRun.of(200, 1), TestRun.of(200, 2));
        comparison.put("surprise", 1);
        ((ObjectNode) comparison.path("cells").get(0)).put("superiority", 2);
        ((ObjectNode) comparison.path("cells").get(0).path("figures").get(0)).put("verdict", "perhaps");
        ((ObjectNode) comparison.path("b")).remove("path");
        assertThat(violations(comparison))
                .containsExactlyInAnyOrder(
                        " additionalProperties",
                        "/cells/0/superiority maximum",
                        "/cells/0/figures/0/verdict enum",
                        "/b required");
    }
}
