package io.plog.report.figure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PanelTest {
    @Test
    void itsFactsAreInOneOrderHoweverTheyWereGiven() {
        Axis axis = new Axis("", Axis.Scale.LINEAR, 0, 1, List.of(), false);
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("target", "main");
        facts.put("size", "100");

        Panel panel = Panel.of("", axis, axis, 100, List.of()).about(facts);

        assertThat(panel.about().keySet()).containsExactly("size", "target");
    }
}
