package io.plog.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FioReportTest {
    /** A job of 3000 writes; a latency in nanoseconds is a function of the share. */
    private static String json(DoubleUnaryOperator write, String sync) {
        return "fio: a note before the report\n" + """
                {"jobs": [{"error": 0,
                  "write": {"total_ios": 3000, "iops": 7500.0, "runtime": 400, "lat_ns": {"percentile": {%s}}},
                  "sync": {"total_ios": 0, "lat_ns": {"N": 2999%s}},
                  "job_runtime": 400, "usr_cpu": 5.0, "sys_cpu": 25.0}]}
                """.formatted(percentiles(write), sync);
    }

    private static String percentiles(DoubleUnaryOperator nanos) {
        return FioReport.SHARES.stream()
                .map(share ->
                        String.format(Locale.ROOT, "\"%.6f\": %d", share * 100, (long) nanos.applyAsDouble(share)))
                .collect(Collectors.joining(","));
    }

    private static String sync(DoubleUnaryOperator nanos) {
        return ", \"percentile\": {" + percentiles(nanos) + "}";
    }

    @Test
    void aWayThatForcesWithTheWriteHasTheLatencyOfTheWrite() {
        FioReport report = FioReport.parse(json(share -> share * 100_000, ""));
        assertThat(report.writes()).isEqualTo(3000);
        assertThat(report.writesPerSecond()).isEqualTo(7500);
        assertThat(report.seconds()).isEqualTo(0.4);
        assertThat(report.latencyMicros(0.5)).isEqualTo(50);
        assertThat(report.latencyMicros(0.99)).isEqualTo(99);
    }

    @Test
    void theProcessorTimeIsThatOfTheJob() {
        // 30 % of 400 ms for 3000 writes
        assertThat(FioReport.parse(json(share -> 1000, "")).cpuMicrosPerWrite()).isCloseTo(40, within(1e-9));
    }

    @Test
    void theMedianWithAForceIsTheSumOfTheMedians() {
        FioReport report = FioReport.parse(json(share -> 4_000 * share, sync(share -> 200_000 * share)));
        assertThat(report.latencyMicros(0.5)).isEqualTo(2 + 100);
    }

    @Test
    void theTailWithAForceIsTheWorseTailAndTheOtherMedian() {
        FioReport slowForce = FioReport.parse(json(share -> 4_000 * share, sync(share -> 200_000 * share)));
        assertThat(slowForce.latencyMicros(0.99)).isEqualTo(2 + 198);
        FioReport slowWrite = FioReport.parse(json(share -> 200_000 * share, sync(share -> 4_000 * share)));
        assertThat(slowWrite.latencyMicros(0.99)).isEqualTo(2 + 198);
    }

    @Test
    void fioIsAskedForTheSharesThatAreRead() {
        assertThat(FioReport.percentileList()).isEqualTo("50.00:99.00:99.90:100.00");
    }

    @Test
    void whatIsNoReportIsRefused() {
        assertThatThrownBy(() -> FioReport.parse("fio: no such file"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("fio: no such file");
        assertThatThrownBy(() -> FioReport.parse("{\"jobs\": []}")).isInstanceOf(IllegalArgumentException.class);
    }
}
