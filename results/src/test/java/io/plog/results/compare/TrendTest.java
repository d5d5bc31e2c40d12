package io.plog.results.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.results.Analysis;
import io.plog.results.SyntheticDisk;
import io.plog.results.table.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrendTest {
    /** A run each day, the latest first; from the eleventh day on twice as slow. */
    private static List<Trend.Member> days(int count) throws IOException {
        List<Trend.Member> runs = new ArrayList<>();
        for (int day = count; day >= 1; day--) {
            TestRun run = TestRun.of(200, day)
                    .startedAt(String.format("2026-11-%02dT14:00:00Z", day))
                    .slower("main", day > 10 ? 2 : 1);
            runs.add(Trend.Member.of("day-" + day, Analysis.results(run)));
        }
        return runs;
    }

    @Test
    void runsAreInTheOrderOfTimeAndAChangeHasItsDay() throws Exception {
        List<Trend.Member> days = days(20);
        assertThat(days)
                .allSatisfy(day -> assertThat(day.differsFrom(days.get(0))).isEmpty());
        Trend trend = Trend.of(days, List.of());
        assertThat(trend.about()).startsWith("run of main (fdatasync), without logging; closed loop, ");
        assertThat(trend.runs())
                .extracting(Trend.Run::path)
                .startsWith("day-1", "day-2")
                .hasSize(20);
        Trend.Series logged = trend.series().stream()
                .filter(each -> each.figure().toString().equals("main, 100 B, end to end p50"))
                .findFirst()
                .orElseThrow();
        assertThat(logged.values())
                .hasSize(20)
                .allSatisfy(each -> assertThat(each.micros()).isNotNull());
        assertThat(logged.levels()).hasSize(2);
        assertThat(logged.levels().get(1)).satisfies(level -> {
            assertThat(level.first()).isEqualTo(11);
            assertThat(level.last()).isEqualTo(20);
            assertThat(level.micros())
                    .isGreaterThan(1.4 * logged.levels().get(0).micros());
        });
        assertThat(trend.series())
                .filteredOn(each -> each.figure().cell().startsWith("off"))
                .allSatisfy(each -> assertThat(each.levels()).isEmpty());
        assertThat(trend.text())
                .contains(
                        "1. 2026-11-01T14:00:00Z day-1, plog 0.1.0",
                        "changed with run 11, 2026-11-11T14:00:00Z: from ");
        assertThat(trend.findings()).allMatch(each -> each.startsWith("main, "));
    }

    @Test
    void eachLevelIsDrawnFromItsFirstToItsLastRun() throws Exception {
        Trend trend = Trend.of(days(20), List.of());
        Table levels = trend.tables().get(1);
        assertThat(levels.rows())
                .filteredOn(row -> List.of("main, 100 B, end to end", "p50").equals(row.subList(0, 2)))
                .extracting(row -> row.subList(2, 4))
                .containsExactly(List.of(1, 1), List.of(1, 10), List.of(2, 11), List.of(2, 20));
        assertThat(levels.rows()).noneMatch(row -> String.valueOf(row.get(0)).startsWith("off"));
    }

    @Test
    void fewRunsHaveNoChangeAndItIsSaid() throws Exception {
        Trend trend = Trend.of(days(12), List.of());
        assertThat(trend.series()).allSatisfy(each -> assertThat(each.levels()).isEmpty());
        assertThat(trend.text()).endsWith("Changes of level are named from 16 runs on.\n");
    }

    @Test
    void aRunWithoutAFigureHasAGapInIt() throws Exception {
        List<Trend.Member> runs = days(3);
        Trend.Member two = runs.get(1);
        runs.set(1, new Trend.Member(two.run(), two.about(), two.work(), Map.of()));
        assertThat(Trend.of(runs, List.of()).series())
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.values().get(1).micros()).isNull());
    }

    @Test
    void whatDiffersBetweenRunsThatDidOtherWorkIsNamed() throws Exception {
        List<Trend.Member> runs = days(3);
        Trend.Member disk = Trend.Member.of("disk", Analysis.results(SyntheticDisk.of(1_000, 2_000, 3_000)));
        assertThat(disk.differsFrom(runs.get(0))).isEqualTo("disk: kind is disk, in day-3 run");
        TestRun dsync = TestRun.of(200, 4)
                .targets(List.of(TestRun.target(1, "main", "dsync"), TestRun.target(2, "off", "off")));
        assertThat(Trend.Member.of("dsync", Analysis.results(dsync)).differsFrom(runs.get(0)))
                .isEqualTo("dsync: way of forcing of target main is dsync, in day-3 fdatasync");
    }
}
