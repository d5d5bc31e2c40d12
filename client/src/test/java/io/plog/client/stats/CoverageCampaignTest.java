package io.plog.client.stats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Makes the table of docs/measurement.md; {@code tools/coverage} runs it. */
@Tag("slow")
final class CoverageCampaignTest {
    private static final int REPETITIONS = Integer.getInteger("plog.coverage.repetitions", 2000);
    private static final long SEED = Long.getLong("plog.coverage.seed", 1);

    @Test
    void intervalsHoldTheTruthAsOftenAsTheySay() {
        System.out.println(Coverage.HEAD);
        for (KnownCell.Design design : new KnownCell.Design[] {Coverage.DEMO, Coverage.TRIALS}) {
            for (KnownCell cell : Coverage.CELLS) {
                Coverage.Line line = Coverage.of(cell, design, REPETITIONS, SEED);
                System.out.println(line);
                assertThat(line.falseHolds()).as("%s", line).isLessThan(0.05);
            }
        }
    }
}
