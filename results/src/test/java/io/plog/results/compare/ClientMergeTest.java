package io.plog.results.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.measure.plan.Arrivals;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.Loop;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.samples.Samples;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientMergeTest {
    @TempDir
    private Path directory;

    private Path samples(String name, TestRun run) throws IOException {
        return run.write(directory.resolve(name)).resolve(SampleFileWriter.FILE_NAME);
    }

    @Test
    void theServersClockPutsClientsWhoseClocksDifferOnOneScale() throws Exception {
        TestRun run = TestRun.of(20, 1);
        Path a = samples("a", run.startedAt("2026-11-20T14:00:00Z").beganAtNanos(5_000_000_000L));
        Path b = samples("b", run.startedAt("2026-11-20T14:00:07Z").beganAtNanos(5_001_500_000L));
        Path merged = directory.resolve("merged.plog");
        assertThat(ClientMerge.merge(List.of(a, b), merged))
                .containsExactly("the clients began 1.500 ms (by the server's clock, to 0.031 ms) apart");
        try (SampleFileReader reader = SampleFileReader.open(merged)) {
            Samples samples = reader.samples(new CellKey(1, 100));
            assertThat(samples.count()).isEqualTo(40);
            for (int i = 0; i < samples.count(); i++) {
                long own = samples.get(Column.SENT, i) - samples.get(Column.CONNECTION, i) * 1_500_000;
                assertThat(own % 200_000).isZero();
                assertThat(own).isBetween(0L, 19 * 200_000L);
            }
            assertThat(reader.info().client()).containsKey(ClientMerge.APART_FACT);
        }
    }

    @Test
    void withoutTheServersClockTheirOwnClocksDecideAndTheMergeSaysSo() throws Exception {
        Path a = samples("a", TestRun.of(20, 1).beganAtNanos(5_000_000_000L));
        Path b = samples("b", TestRun.of(20, 2).startedAt("2026-11-20T14:00:00.004Z"));
        assertThat(ClientMerge.merge(List.of(a, b), directory.resolve("merged.plog")))
                .containsExactly(
                        "the clients began 4.000 ms (by their own clocks, which may differ: not every client could"
                                + " ask the server for its clock) apart");
    }

    @Test
    void loadsOfDifferentRatesBecomeOneLoadOfTheirSum() throws Exception {
        Path a = samples("a", TestRun.of(20, 1).load(3, 100, 1));
        Path b = samples("b", TestRun.of(20, 2).load(2, 50, 2));
        Path merged = directory.resolve("merged.plog");
        ClientMerge.merge(List.of(a, b), merged);
        try (SampleFileReader reader = SampleFileReader.open(merged)) {
            Load together = (Load) reader.info().plan();
            assertThat(together.loop()).isEqualTo(new Loop.Open(5, 150, Arrivals.CONSTANT));
            assertThat(together.workers()).isEqualTo(2);
            assertThat(reader.samples(new CellKey(1, 100)).column(Column.CONNECTION))
                    .containsOnly(0L, 3L);
        }
    }

    @Test
    void loadsThatDrewTheSameOrARunAndALoadAreRefused() throws Exception {
        Path a = samples("a", TestRun.of(20, 1).load(3, 100, 1));
        Path same = samples("same", TestRun.of(20, 2).load(3, 100, 1));
        Path run = samples("run", TestRun.of(20, 2));
        Path merged = directory.resolve("merged.plog");
        assertThatThrownBy(() -> ClientMerge.merge(List.of(a, same), merged))
                .isInstanceOf(NotComparableException.class)
                .hasMessageContaining("has the seed 1 of another load");
        assertThatThrownBy(() -> ClientMerge.merge(List.of(a, run), merged))
                .isInstanceOf(NotComparableException.class)
                .hasMessageContaining("subject is \"grid\"");
        assertThat(merged).doesNotExist();
    }
}
