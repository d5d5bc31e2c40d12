package io.plog.app.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RelationTest {
    private static final Map<String, Double> NUMBERS = Map.of("a", 10.0, "b-2", 3.0, "c", 13.0);

    @ParameterizedTest
    @CsvSource({
        "a > 3 * b-2, true",
        "a > 4 * b-2, false",
        "a + b-2 = c, true",
        "a = c, false",
        "a != c, true",
        "a != 10, false",
        "a >= 10, true",
        "a <= 9.5, false",
        "b-2 < a, true",
        "0.5 * c > b-2 * b-2, false"
    })
    void itHoldsOrNot(String text, boolean holds) {
        assertThat(new Relation(text).holds(NUMBERS)).isEqualTo(holds);
    }

    @Test
    void whatIsNoRelationIsRefused() {
        assertThatThrownBy(() -> new Relation("a is large")).hasMessageContaining("\"a is large\" is no relation");
        assertThatThrownBy(() -> new Relation("x > 1").holds(NUMBERS)).hasMessage("\"x\" is not observed");
    }
}
