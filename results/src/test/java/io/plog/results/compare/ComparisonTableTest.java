package io.plog.results.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.results.Analysis;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ComparisonTableTest {
    private static Assessment compared() throws Exception {
        TestRun a = TestRun.of(4000, 1);
        TestRun b = TestRun.of(4000, 2).slower("main", 1.5);
        return Assessor.of(
                new Assessor.Input("a", a, Analysis.results(a)),
                new Assessor.Input("b", b, Analysis.results(b)),
                new Assessor.Request(null, List.of(), false, false));
    }

    @Test
    void theCsvHasEveryRatioAndLeavesWhatHasNoBoundEmpty() throws Exception {
        Assessment found = compared();
        List<String> lines = ComparisonTable.of(found).get(0).csv().lines().toList();
        List<Assessment.Row> rows =
                found.cells().stream().flatMap(cell -> cell.figures().stream()).toList();
        assertThat(lines).hasSize(rows.size() + 1);
        for (int i = 0; i < rows.size(); i++) {
            Assessment.Row row = rows.get(i);
            assertThat(lines.get(i + 1))
                    .contains(
                            "," + row.figure().label() + ",", "," + row.ratio().value() + ",")
                    .endsWith("," + row.verdict().label());
            assertThat(lines.get(i + 1).split(",", -1)[11])
                    .isEqualTo(
                            row.jointRatio().high() == null
                                    ? ""
                                    : row.jointRatio().high() + "");
        }
    }

    @Test
    void itsSourceNamesBothRunsAndAMachineThatIsTheSameOnce() throws Exception {
        assertThat(ComparisonTable.source(compared()))
                .contains("A: a, plog ", "B: b, plog ", " UTC", "n = ", "a fast one", "log on ext4")
                .containsOnlyOnce("a fast one");
    }

    @Test
    void gatesAloneHaveNoRows() throws Exception {
        TestRun run = TestRun.of(400, 1);
        Assessment found = Assessor.of(
                null,
                new Assessor.Input("b", run, Analysis.results(run)),
                new Assessor.Request(null, List.of(Gate.parse("endToEnd.p50 < 1s")), false, false));
        assertThat(ComparisonTable.of(found)).isEmpty();
    }
}
