package io.plog.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class MachineTimeTest {
    @Test
    void idleAndWaitingForDisksAreNotBusy() {
        assertThat(MachineTime.parse("cpu  10 1 20 500 300 2 3 4 7 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n"))
                .isEqualTo(new MachineTime(40, 840));
    }

    @Test
    void whatTheProcessItselfUsedIsNotOthers() {
        MachineTime before = new MachineTime(100, 1000);
        MachineTime after = new MachineTime(160, 1200);
        assertThat(after.othersSince(before, 0.25)).isCloseTo(0.05, within(1e-9));
    }

    @Test
    void ticksAreCoarseButOthersNeverHaveLessThanNothing() {
        MachineTime before = new MachineTime(100, 1000);
        assertThat(new MachineTime(101, 1010).othersSince(before, 0.3)).isZero();
        assertThat(before.othersSince(before, 0)).isZero();
    }

    @Test
    void whatIsNotProcStatIsRefused() {
        assertThatThrownBy(() -> MachineTime.parse("cpu 1 2 3")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MachineTime.parse("")).isInstanceOf(IllegalArgumentException.class);
    }
}
