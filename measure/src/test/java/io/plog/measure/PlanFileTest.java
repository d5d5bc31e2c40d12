package io.plog.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PlanFileTest {
    @TempDir
    private Path directory;

    private PlanFile read(String name, String text) throws IOException, PlanException {
        return PlanFile.read(Files.writeString(directory.resolve(name), text));
    }

    @Test
    void aPlanSaysWhatToMeasureAndIsReadAgainAsItWasWritten() throws Exception {
        PlanFile plan = read("plan.json", """
                // what we measure each spring
                {"server": "db1:7411", "sizes": ["100", "64KiB"], "targets": ["disk", "off"], "iterations": 20000,
                 "trials": 5, "warmup": "auto:4000", "blocks": 8, "connections": 2, "rate": 1500.5, "seed": 7}
                """);
        assertThat(plan.sizes()).containsExactly("100", "64KiB");
        assertThat(plan.targets()).containsExactly("disk", "off");
        assertThat(plan.force()).isNull();
        assertThat(plan.rate()).isEqualTo(1500.5);
        assertThat(read("again.json", plan.json())).isEqualTo(plan);
    }

    @Test
    void whatIsNotNamedIsLeftToOptionsAndDefaults() throws Exception {
        assertThat(read("plan.json", "{\"seed\": 1}").iterations()).isNull();
        assertThat(read("one.json", "{\"sizes\": \"1k\"}").sizes()).containsExactly("1k");
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
        assertThat(keys).containsExactlyElementsOf(PlanFile.KEYS);
    }
}
