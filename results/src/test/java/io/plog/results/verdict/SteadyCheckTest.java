package io.plog.results.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.SampleSource;
import io.plog.results.Analysis;
import io.plog.results.SyntheticRun;
import io.plog.results.cells.Steadiness;
import io.plog.results.model.Check;
import io.plog.results.model.Check.Severity;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Without logging a request of 100 B takes about 41 µs in these runs, forced about 130 µs, handed to the page cache 47 µs. */
final class SteadyCheckTest {
    private static final List<Integer> SIZES = List.of(100, 1000, 10_000);

    private static Check check(SyntheticRun run, Map<String, Double> trends) throws IOException {
        return Analysis.results(drifting(run, trends)).validity().stream()
                .filter(check -> check.id().equals("steady"))
                .findFirst()
                .orElseThrow();
    }

    private static SyntheticRun run(String... targets) {
        return SyntheticRun.of(1_000, 21, List.of(targets), SIZES);
    }

    /** The run with the latencies of some targets multiplied by 1 at the beginning and by the target's factor at the end. */
    private static SampleSource drifting(SyntheticRun run, Map<String, Double> trends) {
        double count = run.grid().warmup().requests() + run.grid().iterations();
        return run.changed((target, sample, column, number) -> column == Column.END_TO_END
                ? Math.round(number * Math.pow(trends.getOrDefault(target.name(), 1.0), sample / count))
                : number);
    }

    @Test
    void aRunThatDoesNotDriftIsSteady() throws IOException {
        assertThat(check(run("fdatasync", "write", "off"), Map.of()).ok()).isTrue();
    }

    @Test
    void forcedCellsThatDriftByMoreThanAQuarterMakeTheRunInvalid() throws IOException {
        Check found = check(run("fdatasync", "write", "off"), Map.of("fdatasync", 2.5));
        assertThat(found.ok()).isFalse();
        assertThat(found.severity()).isEqualTo(Severity.INVALID);
        assertThat(found.detail())
                .startsWith("No steady state in fdatasync at")
                .endsWith("the figures depend on when one looks.");
    }

    @Test
    void aDriftOfWhatIsNotForcedIsAWarningIfItIsSmallNextToTheCost() throws IOException {
        for (double trend : new double[] {1.7, 0.5}) {
            Check found = check(run("fdatasync", "write", "off"), Map.of("off", trend, "write", trend));
            assertThat(found.ok()).isFalse();
            assertThat(found.severity()).as("trend %s", trend).isEqualTo(Severity.WARNING);
        }
    }

    @Test
    void aDriftOfTheBaselineThatIsLargeNextToTheCostMakesTheRunInvalid() throws IOException {
        Check found = check(run("fdatasync", "write", "off"), Map.of("off", 4.0));
        assertThat(found.severity()).isEqualTo(Severity.INVALID);
        assertThat(found.detail()).startsWith("No steady state in off at");
    }

    @Test
    void withoutAForcedTargetThereIsNoCostToHoldADriftAgainst() throws IOException {
        assertThat(check(run("write", "off"), Map.of("off", 1.7)).severity()).isEqualTo(Severity.INVALID);
        assertThat(check(run("fdatasync", "write"), Map.of("write", 1.7)).severity())
                .isEqualTo(Severity.INVALID);
    }

    /** The ratio at both ends of the largest trend that is let through. */
    @Test
    void aDriftThatIsLetThroughCannotChangeTheVerdictOnTenPerCent() {
        double off = 1;
        for (double cost = 0.01; cost < 10; cost += 0.01) {
            double trend = SteadyCheck.MOST_OF_COST * cost;
            boolean far = (off + trend / 2) / (off - trend / 2) > Steadiness.MOST_DRIFT || trend >= 2 * off;
            if (far) {
                assertThat((off + cost) / (off + trend / 2)).isGreaterThan(Overheads.MARGIN);
            }
        }
    }
}
