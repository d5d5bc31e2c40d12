package io.plog.report.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plog.measure.load.ArrivalTimes;
import io.plog.measure.load.Mix;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.measure.study.StudyCell;
import io.plog.measure.study.StudyDesign;
import io.plog.measure.study.StudyOrder;
import io.plog.measure.study.StudyPlan;
import io.plog.report.study.StudyResults.Estimate;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class VarianceSharesTest {
    private static final long SEED = 3;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    /** A cell of 1,200 requests in 20 blocks, whose server takes a third of each latency. */
    private CellData cell() throws IOException {
        StudyPlan plan = new StudyPlan(
                "plog study",
                List.of(new StudyDesign("dedicated", 1)),
                "fdatasync",
                new StudyPlan.Traffic(Mix.only(1000), 10, 5, ArrivalTimes.Kind.POISSON),
                new StudyPlan.Levels(List.of(0.5), List.of(), List.of(), false, List.of()),
                1,
                Duration.ofMillis(500),
                Duration.ofMillis(600),
                7);
        StudyCell cell = StudyOrder.capacities(plan).get(0);
        return CellData.read(new SyntheticCells(directory, plan, 5)
                .outcome(cell, new SyntheticCells.Behaviour(2000, 2000, true, 1, "", 0)));
    }

    @Test
    void componentsThatAddUpToTheLatencyHaveSharesThatAddUpToOne() throws IOException {
        List<CellData> trials = List.of(cell());
        Estimate server = VarianceShares.of(trials, (samples, i) -> samples.get(Column.RESIDENCE, i));
        Estimate rest = VarianceShares.of(
                trials, (samples, i) -> samples.get(Column.END_TO_END, i) - samples.get(Column.RESIDENCE, i));
        assertThat(server.value()).isCloseTo(1 / 3.0, within(1e-4));
        assertThat(server.value() + rest.value()).isCloseTo(1, within(1e-6));
        assertThat(VarianceShares.of(trials, Distributions::latency).value()).isCloseTo(1, within(1e-9));
    }

    @Test
    void aComponentThatHasNothingToDoWithTheLatencyHasNoneOfItsSpread() throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        Estimate share = VarianceShares.of(List.of(cell()), (samples, i) -> random.nextLong(400_000));
        assertThat(share.low()).as("seed " + SEED).isLessThan(0);
        assertThat(share.high()).isGreaterThan(0).isLessThan(0.1);
    }

    @Test
    void aComponentThatIsShortWhereTheLatencyIsLongHasANegativeShare() throws IOException {
        Estimate share = VarianceShares.of(
                List.of(cell()), (Samples samples, int i) -> 5_000_000 - samples.get(Column.END_TO_END, i));
        assertThat(share.value()).isCloseTo(-1, within(1e-6));
        assertThat(VarianceShares.text(share)).startsWith("-100 %");
    }

    @Test
    void aConstantHasNone() throws IOException {
        assertThat(VarianceShares.of(List.of(cell()), (samples, i) -> 1_000).value())
                .isCloseTo(0, within(1e-9));
    }
}
