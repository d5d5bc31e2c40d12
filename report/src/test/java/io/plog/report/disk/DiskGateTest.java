package io.plog.report.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class DiskGateTest {
    @Test
    void aGateNamesWaySizeKindAndNeighbourInAnyOrder() {
        DiskGate gate = DiskGate.parse(" 512.fdatasync.p99 >= 10ms ");
        assertThat(gate.force()).contains("fdatasync");
        assertThat(gate.sizeBytes()).hasValue(512);
        assertThat(gate.figure()).isEqualTo("p99");
        assertThat(gate.above()).isTrue();
        assertThat(gate.inclusive()).isTrue();
        assertThat(gate.limitMicros()).isEqualTo(10_000);
        assertThat(DiskGate.parse("4Ki.random.mean < 1.5us"))
                .satisfies(other -> assertThat(other.file()).contains("random"))
                .satisfies(other -> assertThat(other.limitMicros()).isEqualTo(1.5))
                .satisfies(other -> assertThat(other.above()).isFalse());
        assertThat(DiskGate.parse("log.max>1s").beside()).isEqualTo("log");
    }

    @Test
    void whatIsNotUnderstoodIsNamedWithWhatIsKnown() {
        refused("p99", "[WAY.][SIZE.]FIGURE", "'fdatasync.512.p99 > 10ms'");
        refused("p99 > 10", "limit '10'", "500us or 10ms");
        refused("p99 > 1.2x", "limit '1.2x'");
        refused("p42 > 1ms", "no figure 'p42'", "mean, p5, p50, p95, p99, max");
        refused("fdatasink.p99 > 1ms", "'fdatasink'", "write, fdatasync, fsync, dsync, direct", "512 or 4Ki");
        refused("fsync.dsync.p99 > 1ms", "'dsync' is not known, or comes twice");
        refused("5zz.p99 > 1ms", "size '5zz'");
        refused("fsync..p99 > 1ms", "''");
    }

    private static void refused(String gate, String... said) {
        assertThatThrownBy(() -> DiskGate.parse(gate))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .contains(said);
    }

    @Test
    void aGateFailsOnlyWithTheWholeInterval() {
        // 1 to 1000 µs: p50 is 500, its 95 % interval 469 to 532.
        DiskResults results = DiskSamples.results(
                LongStream.rangeClosed(1, 1000).map(i -> i * 1000).toArray());
        assertThat(outcome("fdatasync.512.p50 > 400us", results)).isEqualTo(DiskGates.Outcome.FAILED);
        assertThat(outcome("fdatasync.512.p50 > 510us", results)).isEqualTo(DiskGates.Outcome.UNDECIDED);
        assertThat(outcome("fdatasync.512.p50 > 600us", results)).isEqualTo(DiskGates.Outcome.HOLDS);
        assertThat(outcome("fdatasync.512.p50 < 600us", results)).isEqualTo(DiskGates.Outcome.FAILED);
        assertThat(outcome("max > 1ms", results)).isEqualTo(DiskGates.Outcome.HOLDS);
        assertThat(outcome("max >= 1ms", results)).isEqualTo(DiskGates.Outcome.FAILED);
        assertThat(outcome("mean > 495us", results)).isEqualTo(DiskGates.Outcome.UNDECIDED);
        assertThat(outcome("mean > 400us", results)).isEqualTo(DiskGates.Outcome.FAILED);
    }

    @Test
    void anEndThatTheSampleDoesNotBoundDecidesNothing() {
        // 100 samples bound p99 from below only.
        DiskResults few = DiskSamples.results(
                LongStream.rangeClosed(1, 100).map(i -> i * 1000).toArray());
        assertThat(outcome("p99 > 10s", few)).isEqualTo(DiskGates.Outcome.UNDECIDED);
        assertThat(outcome("p99 > 10us", few)).isEqualTo(DiskGates.Outcome.FAILED);
        assertThat(DiskGates.fail(DiskGates.judge(List.of(DiskGate.parse("p99 > 10s")), few), false))
                .isFalse();
        assertThat(DiskGates.fail(DiskGates.judge(List.of(DiskGate.parse("p99 > 10s")), few), true))
                .isTrue();
    }

    @Test
    void aGateWithoutAWayIsMeantForThoseThatForce() {
        DiskResults results = DiskSamples.results(5000);
        assertThat(DiskGates.judge(List.of(DiskGate.parse("p50 > 1ns")), results)
                        .get(0)
                        .cells())
                .extracting(DiskGates.CellResult::where)
                .allMatch(where -> where.contains("fdatasync"));
        assertThatThrownBy(() -> DiskGates.judge(List.of(DiskGate.parse("dsync.p50 > 1ns")), results))
                .hasMessageContaining("no cell that was measured is meant");
    }

    private static DiskGates.Outcome outcome(String gate, DiskResults results) {
        return DiskGates.judge(List.of(DiskGate.parse(gate)), results).get(0).outcome();
    }
}
