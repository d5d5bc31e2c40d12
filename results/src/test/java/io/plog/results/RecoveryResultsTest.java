package io.plog.results;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.measure.plan.Recovery;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleSource;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.TrialRecord;
import io.plog.results.compare.Assessor;
import io.plog.results.compare.Gate;
import io.plog.results.model.Results;
import io.plog.results.model.ResultsFile;
import io.plog.results.table.TableMapping;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is made of kills of a server. */
final class RecoveryResultsTest {
    /** Three kills, of 100, 110 and 120 ms until the first answer. */
    private static final SampleSource KILLS = new SampleSource() {
        @Override
        public RunInfo info() {
            return new RunInfo(
                    "0.1.0",
                    Instant.parse("2026-11-29T08:00:00Z"),
                    "plog recovery",
                    new Recovery(List.of(1_000L), List.of(0L), 3, 7),
                    Map.of("network", "loopback"),
                    Map.of(),
                    List.of(new RunInfo.Target(
                            1,
                            Recovery.TARGET,
                            "fdatasync",
                            Map.of(),
                            Map.of(Recovery.CHECKPOINT, "none", Recovery.REQUESTS, "1000"))));
        }

        @Override
        public RunInfo.End end() {
            return new RunInfo.End(
                    false,
                    "",
                    1,
                    List.of(
                            new TrialRecord.FilledRate(1, 0, 5_000),
                            recovered(0, 100),
                            recovered(1, 110),
                            recovered(2, 120)));
        }

        @Override
        public Samples samples(RunInfo.Target target, int payloadBytes) {
            Samples samples = new Samples(3);
            for (int trial = 0; trial < 3; trial++) {
                samples.begin();
                samples.set(Column.TRIAL, trial);
                samples.set(Column.END_TO_END, (100 + 10 * trial) * 1_000_000L);
            }
            return samples;
        }
    };

    private static TrialRecord recovered(int trial, int firstAnswerMillis) {
        long start = (firstAnswerMillis - 50) * 1_000_000L;
        return new TrialRecord.Recovered(1, trial, start, 20_000_000, 30_000_000, 1_200, 1_200, 5);
    }

    @Test
    void aCellHasTheMeansOfItsKillsAndNoLatencyOfALog() throws Exception {
        Results results = Analysis.results(KILLS);
        assertThat(results.kind()).isEqualTo(Results.Kind.RECOVERY);
        Results.Cell cell = results.cells().get(0);
        assertThat(cell.logMicros()).isNull();
        assertThat(cell.endToEndMicros().mean()).isEqualTo(110_000);
        assertThat(cell.recovered().firstAnswerMillis().value()).isEqualTo(110);
        assertThat(cell.recovered().startMillis().value()).isEqualTo(60);
        assertThat(cell.recovered().filledPerSecond()).isEqualTo(5_000);
        assertThat(results.cost().get(0).sentence())
                .startsWith("1,000 requests, checkpoint none: first answer 110 (85.2 to 135) ms, start 60.0 (");
        assertThat(TableMapping.tables("recovery", source -> results.cells().stream())
                        .get(0)
                        .csv())
                .contains("none,1000,3,5000,1200,1200,70,20,30,120,5");
        assertThat(Schemas.violations("results.schema.json", new ObjectMapper().readTree(ResultsFile.json(results))))
                .isEmpty();
    }

    @Test
    void aGateJudgesTheFirstAnswer() throws Exception {
        Assessor.Input run = new Assessor.Input("run", KILLS, Analysis.results(KILLS));
        assertThat(Assessor.of(
                                null,
                                run,
                                new Assessor.Request(
                                        null, List.of(Gate.parse("endToEnd.mean@checkpoint=none > 1s")), false, false))
                        .gates())
                .singleElement()
                .satisfies(gate -> assertThat(gate.detail()).contains("110,000 µs"));
    }
}
