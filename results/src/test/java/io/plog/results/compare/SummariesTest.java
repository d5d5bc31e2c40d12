package io.plog.results.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.results.compare.Assessment.Outcome;
import io.plog.stats.Estimate;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SummariesTest {
    private static Assessment.Side side(String path, List<String> invalid) {
        return new Assessment.Side(path, "2026-11-20T14:00:00Z", "0.1.0", "plog measure", 5, null, invalid, "");
    }

    private static Assessment.Gated gate(String text, String target, Outcome outcome, String detail) {
        return new Assessment.Gated(
                text,
                Map.of("target", target, "size", "1000"),
                "endToEnd.p99",
                new Estimate(150.5, 148.0, 153.0),
                100.0,
                new Estimate(1.5, 1.45, 1.55),
                110.0,
                outcome,
                detail);
    }

    private static Assessment assessment(boolean strict, List<String> invalid, Assessment.Gated... gates) {
        return new Assessment(
                1,
                side("runs/main|1", List.of()),
                side("runs/<now>", invalid),
                false,
                false,
                List.of(new Assessment.Difference("server's cpu", "slow", "fast & new", false)),
                List.of(),
                "",
                List.of(gates),
                strict);
    }

    private static final Assessment.Gated FAILS =
            gate("p99 > 1.1x", "main", Outcome.FAILS, "151 µs are 1.50 times the baseline's 100 µs (1.45 to 1.55)");
    private static final Assessment.Gated HOLDS = gate("p99 < 1s", "off", Outcome.HOLDS, "fine");
    private static final Assessment.Gated OPEN =
            gate("p99 > 1.5x", "a\"&<b>\u0001", Outcome.UNDECIDED, "the interval\nreaches back");

    @Test
    void aRatioHasEnoughDigitsToDifferFromItsNeighbours() {
        assertThat(DoubleStream.of(0.0469, 0.0996, 0.95, 1.004, 1.5, 12.34, 250).mapToObj(ComparisonSentences::number))
                .containsExactly("0.047", "0.10", "0.950", "1.004", "1.50", "12.3", "250");
    }

    @Test
    void gatesAreATableThatLinesUpAndEscapesWhatIsForeign() {
        assertThat(AssessmentText.of(assessment(false, List.of(), FAILS, HOLDS, OPEN)))
                .isEqualTo("""
                ### plog: 1 of 3 gates failed; 1 undecided, which does not count as failed.

                |           | gate         | cell              | baseline |    run | run by baseline (95 %) |
                |-----------|--------------|-------------------|---------:|-------:|------------------------|
                | **fails** | `p99 > 1.1x` | main at 1 kB      |   100 µs | 151 µs | 1.50 (1.45 to 1.55)    |
                | holds     | `p99 < 1s`   | off at 1 kB       |   100 µs | 151 µs | 1.50 (1.45 to 1.55)    |
                | undecided | `p99 > 1.5x` | a"&\\<b\\>? at 1 kB |   100 µs | 151 µs | 1.50 (1.45 to 1.55)    |

                - A, the baseline: runs/main\\|1 of 2026-11-20T14:00:00Z, plog 0.1.0, 5 trials
                - B, the run: runs/\\<now\\> of 2026-11-20T14:00:00Z, plog 0.1.0, 5 trials
                - fails: main at 1 kB, p99 \\> 1.1x: 151 µs are 1.50 times the baseline's 100 µs (1.45 to 1.55)
                - undecided: a"&\\<b\\>? at 1 kB, p99 \\> 1.5x: the interval reaches back
                - differs, server's cpu: slow in A, fast & new in B
                """);
    }

    @Test
    void twoRunsAreATableAndASentence() throws Exception {
        Assessment found = Assessor.of(
                TestRun.of(400, 1).input("a"),
                TestRun.of(400, 2).slower("main", 2).input("b"),
                new Assessor.Request(null, List.of(), false, false));
        assertThat(AssessmentText.of(found))
                .startsWith("### plog: " + found.sentence() + "\n")
                .containsPattern("\\| 100 B \\| main +\\| end to end, p50 +\\| .* \\| longer +\\|\n");
    }

    @Test
    void aFigureWithTooFewSamplesIsNotSaidToShowNoDifference() throws Exception {
        assertThat(comparedWith(2).sentence())
                .isEqualTo("No difference can be seen in any of 2 figures. 16 have too few samples to decide.");
        assertThat(comparedWith(1).sentence()).isEqualTo("None of 18 figures has enough samples to decide.");
    }

    private static Assessment comparedWith(int iterations) throws Exception {
        return Assessor.of(
                TestRun.of(iterations, 1).input("a"),
                TestRun.of(iterations, 2).input("b"),
                new Assessor.Request(null, List.of(), false, false));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.0, 0.0002})
    void anIntervalThatReachesFarIsCalledUnbounded(double low) {
        Estimate one = new Estimate(1, low, 1.2);
        Assessment.Row row =
                new Assessment.Row(Statistic.P99, 10, 10, one, one, one, one, Assessment.Verdict.NO_DIFFERENCE);
        assertThat(ComparisonSentences.of(List.of(row), 1))
                .isEqualTo("There are too few samples to bound the 99th percentile.");
    }
}
