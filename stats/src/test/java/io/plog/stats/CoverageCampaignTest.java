package io.plog.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Makes the table of docs/measurement.md; {@code tools/coverage} runs it. */
@Tag("slow")
final class CoverageCampaignTest {
    private static final int REPETITIONS = Integer.getInteger("plog.coverage.repetitions", 2000);
    private static final long SEED = Long.getLong("plog.coverage.seed", 1);

    @Test
    void intervalsHoldTheTruthAsOftenAsTheySay() {
        System.out.println("seed " + SEED + ", " + REPETITIONS + " repetitions, per cent");
        System.out.println(Coverage.HEAD);
        List<Coverage.Line> lines = new ArrayList<>();
        for (KnownCell.Design design : List.of(Coverage.ONE_TRIAL, Coverage.DEMO, Coverage.TRIALS)) {
            for (KnownCell cell : Coverage.CELLS) {
                Coverage.Line line = Coverage.of(cell, design, REPETITIONS, SEED);
                System.out.println(line);
                lines.add(line);
            }
        }
        // Three standard errors of what was counted are not the intervals' fault.
        double chance = 3 * Math.sqrt(0.05 * 0.95 / REPETITIONS);
        for (Coverage.Line line : lines) {
            for (double share : new double[] {line.mean(), line.median(), line.p99()}) {
                assertThat(share).as("%s", line).isBetween(0.93 - chance, 0.97 + chance);
            }
            assertThat(line.falseHolds()).as("%s", line).isLessThan(0.05 + chance);
            for (double share :
                    new double[] {line.noDifferenceOfMeans(), line.noDifferenceOfMedians(), line.noDifferenceOfRuns()
                    }) {
                assertThat(share).as("%s", line).isGreaterThan(0.95 - chance);
            }
        }
    }
}
