package io.plog.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.benchmarks.journal.Contestant;
import io.plog.benchmarks.result.Cell;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanOptionsTest {
    @Test
    void withoutOptionsThePlanIsAsItWas() {
        assertThat(PlanOptions.apply(Plan.full(), List.of())).isEqualTo(Plan.full());
    }

    @Test
    void optionsMakeItSmaller() {
        Plan plan = PlanOptions.apply(
                Plan.full(), List.of("--only", "fio,plog-direct", "--cells", "1x100,16x102400", "--rounds", "2"));
        assertThat(plan.fioModes()).containsExactly(FioMode.values());
        assertThat(plan.contestants()).containsExactly(Contestant.PLOG_DIRECT);
        assertThat(plan.cells()).extracting(Cell::label).containsExactly("1 x 100 B", "16 x 100 KiB");
        assertThat(plan.rounds()).isEqualTo(2);
    }

    @Test
    void oneFioModeCanBeChosen() {
        assertThat(PlanOptions.apply(Plan.full(), List.of("--only", "fio-dsync"))
                        .fioModes())
                .containsExactly(FioMode.DSYNC);
    }

    @Test
    void whatIsUnknownIsNamed() {
        refused("nobody", "--only", "nobody");
        refused("1x100,", "--cells", "3x3");
        refused("--what", "--what", "1");
        refused("--rounds needs a value", "--rounds");
    }

    private static void refused(String part, String... options) {
        assertThatThrownBy(() -> PlanOptions.apply(Plan.full(), List.of(options)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(part);
    }
}
