package io.plog.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.plog.host.AwakeProcessors;
import io.plog.host.events.Counters;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.RunPlan;
import io.plog.measure.samples.Warmup;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** This process stands for the one that keeps the processors awake: its processor time grows as it works. */
final class AwakeTimeTest {
    private static final long PID = ProcessHandle.current().pid();
    private static final int TICKS = 5;

    private static RunInfo info(String network) {
        RunPlan plan = new RunPlan("closed", List.of(), List.of(), 1, 1, Warmup.exactly(0), 1, 1, 0, 1);
        return new RunInfo("", "2026-11-23T00:00:00Z", "", plan, Map.of("network", network), Map.of(), List.of());
    }

    private static Counters machine(long ticks) {
        return new Counters(0, 2, 0, ticks, 0, 0, 0, 0, 0, 0, 0, List.of(), List.of());
    }

    /** Works until this process has used up some more ticks. */
    private static void work() {
        long before = AwakeProcessors.ticks(PID);
        while (AwakeProcessors.ticks(PID) < before + TICKS) {
            Thread.onSpinWait();
        }
    }

    @Test
    void theTimeOfTheSpinningProcessIsAShareOfTheMachines() {
        assumeThat(AwakeProcessors.ticks(PID)).as("/proc").isNotNegative();
        long before = AwakeProcessors.ticks(PID);
        AwakeTime awake = new AwakeTime(new KeptAwake(PID, "yes: it spins"), info("loopback"));
        work();
        double share = awake.share(machine(1000), machine(1_001_000));
        assertThat(share * 1_000_000).isBetween((double) TICKS, (double) AwakeProcessors.ticks(PID) - before);
    }

    @Test
    void whatTheMachineDidNotCountIsNoShare() {
        assumeThat(AwakeProcessors.ticks(PID)).as("/proc").isNotNegative();
        AwakeTime awake = new AwakeTime(new KeptAwake(PID, "yes: it spins"), info("loopback"));
        work();
        assertThat(awake.share(machine(-1), machine(1000))).isZero();
        assertThat(awake.share(machine(1000), machine(1000))).isZero();
        assertThat(awake.share(machine(1000), machine(1001)))
                .as("ticks are coarse: never more than all")
                .isEqualTo(1);
    }

    @Test
    void theKernelsLatencyRequestAndNothingAtAllTakeNoProcessorTime() {
        work();
        assertThat(new AwakeTime(new KeptAwake(0, "yes: the kernel was asked"), info("loopback"))
                        .share(machine(1000), machine(2000)))
                .isZero();
        assertThat(new AwakeTime(KeptAwake.NOTHING, info("loopback")).share(machine(1000), machine(2000)))
                .isZero();
    }

    @Test
    void itIsTheServersToWhereBothHaveTheSameProcessors() {
        assertThat(new AwakeTime(KeptAwake.NOTHING, info("loopback")).isServersToo())
                .isTrue();
        assertThat(new AwakeTime(KeptAwake.NOTHING, info("network")).isServersToo())
                .isFalse();
    }
}
