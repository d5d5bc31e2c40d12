package io.plog.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.measure.samples.RunPlan;
import io.plog.measure.samples.Warmup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PlanJsonTest {
    @TempDir
    private Path directory;

    private ObjectNode read(String name, String text) throws IOException, PlanException {
        return PlanJson.read(Files.writeString(directory.resolve(name), text));
    }

    @Test
    void aPlanSaysWhatToMeasureAndIsReadAgainAsItWasWritten() throws Exception {
        RunPlan plan = PlanJson.plan(read("plan.json", """
                // what we measure each spring
                {"server": "db1:7411", "sizes": ["100", "64KiB"], "targets": ["disk", "off"], "iterations": 20000,
                 "trials": 5, "warmup": "auto:4000", "blocks": 8, "connections": 2, "rate": 1500.5, "seed": 7}
                """));
        assertThat(plan.sizesBytes()).containsExactly(100, 65_536);
        assertThat(plan.targets()).containsExactly("disk", "off");
        assertThat(plan.force()).isEmpty();
        assertThat(plan.warmup()).isEqualTo(Warmup.untilSteady(4_000));
        assertThat(plan.ratePerSecond()).isEqualTo(1500.5);
        assertThat(PlanJson.plan(read("again.json", PlanJson.json(plan)))).isEqualTo(plan);
    }

    @Test
    void whatIsNotNamedIsLeftToOptionsAndDefaults() throws Exception {
        assertThat(read("plan.json", "{\"seed\": 1}").has("iterations")).isFalse();
        assertThat(PlanJson.plan(read("one.json", "{\"sizes\": \"1k\"}")).sizesBytes())
                .containsExactly(1_000);
        assertThat(PlanJson.plan(PlanJson.empty())).isEqualTo(RunPlan.DEFAULT);
    }

    @Test
    void aPlanSaysWhichOptionsRepeatIt() throws Exception {
        RunPlan plan = PlanJson.plan(read(
                "plan.json", "{\"sizes\": [8, \"1k\"], \"logDir\": [\"/a,b\", \"/c\"], \"warmup\": 5, \"seed\": 3}"));
        assertThat(PlanJson.options(plan))
                .isEqualTo(Map.of(
                        "--log-dir", List.of("/a,b", "/c"),
                        "--sizes", List.of("8", "1000"),
                        "--iterations", List.of("2000"),
                        "--trials", List.of("3"),
                        "--warmup", List.of("5"),
                        "--blocks", List.of("10"),
                        "--connections", List.of("1"),
                        "--seed", List.of("3")));
    }

    @Test
    void anOptionThatIsNoneIsNamedWithWhatWasExpected() {
        assertThatThrownBy(() -> asked("sizes", "much")).hasMessageStartingWith("not a size: 'much'");
        assertThatThrownBy(() -> asked("warmup", "soon")).hasMessageStartingWith("warmup is 'soon': expected a number");
        assertThatThrownBy(() -> asked("trials", 99_999_999_999L))
                .hasMessage("trials is 99999999999: expected a whole number");
        assertThatThrownBy(() -> asked("iterations", 0)).hasMessage("iterations is 0: expected 1 to 100000000");
    }

    private static RunPlan asked(String key, Object value) {
        ObjectNode asked = PlanJson.empty();
        PlanJson.put(asked, key, value);
        return PlanJson.plan(asked);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"iteration\": 5} | unknown key 'iteration' (did you mean 'iterations'?)",
                "{\"frobnicate\": 5} | unknown key 'frobnicate'; expected one of schemaVersion, server, force",
                "{\"schemaVersion\": 0} | key 'schemaVersion' is 0, expected 1",
                "{\"iterations\": \"many\"} | key 'iterations' is \"many\", expected a whole number",
                "{\"iterations\": 1.5} | key 'iterations' is 1.5, expected a whole number",
                "{\"iterations\": 99999999999999999999} | expected a whole number",
                "{\"rate\": \"fast\"} | key 'rate' is \"fast\", expected a number",
                "{\"sizes\": [\"1k\", [2]]} | expected a list of words or numbers, such as [100, 64KiB]",
                "{\"server\": {\"host\": \"a\"}} | expected a word or a number",
                "\"just a sentence\" | is no plan: expected keys such as sizes and iterations",
                "{\"sizes\": [1 | is not JSON",
                "seed: 1 | is not JSON",
                "'' | is no plan",
            })
    void whatIsNoPlanIsNamedWithWhatWasExpected(String text, String message) {
        assertThatThrownBy(() -> read("plan.json", text))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("plan.json: ")
                .hasMessageContaining(message.strip());
    }

    @Test
    void aPlanOfANewerVersionIsNoMistake() throws Exception {
        assertThatThrownBy(() -> read("plan.json", "{\"schemaVersion\": 2, \"colour\": \"red\"}"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("plan.json: was written by a newer plog (plan version 2, this one reads 1);");
        assertThat(read("plan.json", "{\"schemaVersion\": 1, \"seed\": 3}"))
                .isEqualTo(read("own.json", "{\"seed\": 3}"));
    }

    @Test
    void aKeyThatIsThereTwiceIsRefused() {
        assertThatThrownBy(() -> read("plan.json", "{\"seed\": 1, \"seed\": 2}"))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("is not JSON")
                .hasMessageContaining("seed");
    }

    @Test
    void theSchemaHasTheSameKeys() throws Exception {
        List<String> keys = new ArrayList<>();
        new ObjectMapper()
                .readTree(Path.of("..", "docs", "plan.schema.json").toFile())
                .path("properties")
                .fieldNames()
                .forEachRemaining(keys::add);
        assertThat(keys).containsExactlyElementsOf(PlanJson.KEYS);
    }
}
