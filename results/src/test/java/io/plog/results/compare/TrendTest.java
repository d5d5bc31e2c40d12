package io.plog.results.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.results.Analysis;
import io.plog.results.SyntheticDisk;
import io.plog.results.model.Results;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrendTest {
    /** A run each day, the latest first; from the eleventh day on twice as slow. */
    private static Map<String, Results> days(int count) throws IOException {
        Map<String, Results> runs = new LinkedHashMap<>();
        for (int day = count; day >= 1; day--) {
            TestRun run = TestRun.of(200, day)
                    .startedAt(String.format("2026-11-%02dT14:00:00Z", day))
                    .slower("main", day > 10 ? 2 : 1);
            runs.put("day-" + day, Analysis.results(run));
        }
        return runs;
    }

    @Test
    void runsAreInTheOrderOfTimeAndAChangeHasItsDay() throws Exception {
        Trend trend = Trend.of(days(20));
        assertThat(trend.runs())
                .extracting(Trend.Run::path)
                .startsWith("day-1", "day-2")
                .hasSize(20);
        Trend.Series logged = trend.series().stream()
                .filter(each -> each.name().equals("main, 100 B, end to end p50"))
                .findFirst()
                .orElseThrow();
        assertThat(logged.micros()).hasSize(20).doesNotContainNull();
        assertThat(logged.changes()).singleElement().satisfies(change -> {
            assertThat(change.run()).isEqualTo(10);
            assertThat(change.after()).isGreaterThan(1.4 * change.before());
        });
        assertThat(trend.series())
                .filteredOn(each -> each.name().startsWith("off"))
                .allSatisfy(each -> assertThat(each.changes()).isEmpty());
        assertThat(trend.text())
                .contains(
                        "1. 2026-11-01T14:00:00Z day-1, plog 0.1.0",
                        "changed with run 11, 2026-11-11T14:00:00Z: from ");
    }

    @Test
    void fewRunsHaveNoChangeAndItIsSaid() throws Exception {
        Trend trend = Trend.of(days(12));
        assertThat(trend.series()).allSatisfy(each -> assertThat(each.changes()).isEmpty());
        assertThat(trend.text()).endsWith("Changes of level are named from 16 runs on.\n");
    }

    @Test
    void runsOfTwoKindsAreRefused() throws Exception {
        Map<String, Results> runs = days(3);
        runs.put("disk", Analysis.results(SyntheticDisk.of(1_000, 2_000, 3_000)));
        assertThatThrownBy(() -> Trend.of(runs))
                .isInstanceOf(NotComparableException.class)
                .hasMessageContaining("disk is a disk, and ");
    }
}
