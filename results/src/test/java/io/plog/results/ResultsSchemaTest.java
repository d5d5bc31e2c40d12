package io.plog.results;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.TrialRecord.RateAnswer;
import io.plog.results.cells.MaxRates;
import io.plog.results.cells.MaxRatesTest;
import io.plog.results.model.Results.MaxRate;
import io.plog.results.model.ResultsFile;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ResultsSchemaTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static List<String> violations(JsonNode results) throws IOException {
        return Schemas.violations("results.schema.json", results);
    }

    private static JsonNode results(SyntheticRun run) throws IOException {
        return JSON.readTree(ResultsFile.json(Analysis.results(run)));
    }

    @Test
    void aCompleteRunFollowsTheSchema() throws IOException {
        assertThat(violations(results(SyntheticRun.of(300, 3)))).isEmpty();
    }

    @Test
    void aRunWithoutAnyCountedRequestFollowsTheSchema() throws IOException {
        SyntheticRun run = SyntheticRun.of(0, 3).ending(new RunInfo.End(true, "interrupted", 1));
        assertThat(violations(results(run))).isEmpty();
    }

    @Test
    void theLargestRateFollowsTheSchema() throws IOException {
        ObjectNode results = (ObjectNode) results(SyntheticRun.of(30, 3));
        assertThat(results.path("maxRate").isNull()).isTrue();
        for (RateAnswer answer : RateAnswer.values()) {
            MaxRate found = MaxRates.of(List.of(MaxRatesTest.load(1_000, true, answer)), 16);
            results.set("maxRate", JSON.readTree(ResultsFile.json(found)));
            assertThat(violations(results)).isEmpty();
        }
    }

    @Test
    void whatTheSchemaDoesNotAllowIsFound() throws IOException {
        ObjectNode results = (ObjectNode) results(SyntheticRun.of(30, 3));
        results.put("surprise", 1);
        results.put("kind", "tape");
        ((ObjectNode) results.path("cells").get(0)).put("count", "many");
        ((ObjectNode) results.path("claims").get(0)).put("verdict", "perhaps");
        ((ObjectNode) results.path("cells").get(1).path("logMicros")).remove("p99");
        ((ObjectNode) results.path("cells").get(2)).remove("dimensions");
        ((ObjectNode) results.path("stableStorage").get(0)).put("verdict", "honest");
        results.put("schemaVersion", 3);
        assertThat(violations(results))
                .containsExactlyInAnyOrder(
                        " additionalProperties",
                        "/cells/0/count type",
                        "/claims/0/verdict enum",
                        // Neither of the two that it may be: a whole distribution, or null.
                        "/cells/1/logMicros required",
                        "/cells/1/logMicros type",
                        "/cells/2 required",
                        "/stableStorage/0/verdict enum",
                        "/kind enum",
                        "/schemaVersion const");
    }
}
