package io.plog.report.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.Force;
import io.plog.measure.disk.DiskCell;
import io.plog.measure.disk.FileKind;
import io.plog.measure.disk.Timings;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class DiskAnalysisTest {
    private static final Map<String, String> SSD = Map.of(
            "fileSystem",
            "ext4",
            "device",
            "sda1",
            "disk",
            "sda",
            "model",
            "SSD",
            "rotational",
            "no",
            "writeCache",
            "write back");

    private static DiskResults.Cell cell(Force force, FileKind kind, int bytes, int appends, long micros) {
        Timings timings = new Timings();
        for (int i = 0; i < 9; i++) {
            timings.add(micros * 1000, 0);
        }
        return DiskAnalysis.cell(new DiskCell(force, kind, bytes, appends), timings);
    }

    @Test
    void aDistributionIsThatOfTheSamples() {
        // 1 to 100 µs, in no order
        long[] nanos =
                LongStream.rangeClosed(1, 100).map(i -> (i * 37 % 101) * 1000).toArray();
        DiskResults.Distribution found = Objects.requireNonNull(DiskAnalysis.distribution(nanos));
        assertThat(found.count()).isEqualTo(100);
        assertThat(found.min()).isEqualTo(1);
        assertThat(found.p5()).isEqualTo(5);
        assertThat(found.p50()).isEqualTo(50);
        assertThat(found.p95()).isEqualTo(95);
        assertThat(found.p99()).isEqualTo(99);
        assertThat(found.max()).isEqualTo(100);
        assertThat(found.mean()).isEqualTo(50.5);
        assertThat(found.sd()).isEqualTo(29.011);
        // Binomial(100, 0.5): ranks 40 and 61 (Conover, Practical Nonparametric Statistics, table A3)
        assertThat(found.quantile(0.5).interval().low()).isEqualTo(40.0);
        assertThat(found.quantile(0.5).interval().high()).isEqualTo(61.0);
        assertThat(found.isBounded(0.95)).isTrue();
        assertThat(found.isBounded(0.99)).as("100 samples do not bound p99").isFalse();
    }

    @Test
    void nothingMeasuredHasNoDistribution() {
        assertThat(DiskAnalysis.distribution(new long[0])).isNull();
        assertThat(DiskAnalysis.cell(new DiskCell(Force.FSYNC, FileKind.GROWING, 1, 1), new Timings()))
                .satisfies(cell -> {
                    assertThat(cell.groups()).isZero();
                    assertThat(cell.bothMicros()).isNull();
                    assertThat(cell.perAppendMedianMicros()).isNull();
                });
    }

    @Test
    void theForceIsToldApartOnlyWhereItIsACallOfItsOwn() {
        Timings timings = new Timings();
        timings.add(10_000, 30_000);
        DiskResults.Cell cell = DiskAnalysis.cell(new DiskCell(Force.FSYNC, FileKind.GROWING, 100, 4), timings);
        assertThat(Objects.requireNonNull(cell.writeMicros()).p50()).isEqualTo(10);
        assertThat(Objects.requireNonNull(cell.forceMicros()).p50()).isEqualTo(30);
        assertThat(Objects.requireNonNull(cell.bothMicros()).p50()).isEqualTo(40);
        assertThat(cell.perAppendMedianMicros()).isEqualTo(10);
        assertThat(cell.perAppendMeanMicros()).isEqualTo(10);
        assertThat(cell(Force.DSYNC, FileKind.GROWING, 100, 4, 8).forceMicros()).isNull();
    }

    @Test
    void theVerdictIsOfTheFastestWayAtTheSmallestSizeOneAtATime() {
        List<DiskResults.Cell> cells = List.of(
                cell(Force.WRITE, FileKind.INITIALISED, 512, 1, 2),
                cell(Force.FSYNC, FileKind.INITIALISED, 512, 1, 500),
                cell(Force.DIRECT, FileKind.INITIALISED, 512, 1, 300),
                cell(Force.DIRECT, FileKind.INITIALISED, 4096, 1, 1),
                cell(Force.DIRECT, FileKind.INITIALISED, 512, 64, 1),
                cell(Force.DIRECT, FileKind.GROWING, 512, 1, 100));
        DiskResults.StableStorage stable = DiskAnalysis.stableStorage(SSD, cells);
        assertThat(stable.verdict()).isEqualTo("consistent");
        assertThat(stable.sentence()).isEqualTo("consistent with stable media");
        assertThat(stable.reasons().get(0)).contains("512 B takes 300 µs at the median (direct), 150 times a write");
    }

    @Test
    void oneWayThatIsTooFastIsEnough() {
        List<DiskResults.Cell> cells = List.of(
                cell(Force.WRITE, FileKind.GROWING, 512, 1, 2),
                cell(Force.FSYNC, FileKind.GROWING, 512, 1, 500),
                cell(Force.FDATASYNC, FileKind.GROWING, 512, 1, 3));
        assertThat(DiskAnalysis.stableStorage(SSD, cells).verdict()).isEqualTo("volatile-cache");
    }

    @Test
    void withoutAnyForceThereIsNoVerdict() {
        List<DiskResults.Cell> cells = List.of(cell(Force.WRITE, FileKind.GROWING, 512, 1, 2));
        assertThat(DiskAnalysis.stableStorage(SSD, cells).verdict()).isEqualTo("cannot-tell");
        assertThat(DiskAnalysis.stableStorage(SSD, cells).reasons().get(0)).isEqualTo("No forced append was measured.");
    }
}
