package io.plog.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class MachineTimeTest {
    @Test
    void neitherIdlingNorTheKernelsOwnWorkIsBusy() {
        assertThat(MachineTime.parse("cpu  10 1 20 500 300 2 3 4 7 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n", 5))
                .isEqualTo(new MachineTime(30, 840));
    }

    @Test
    void onlyChildrenOfKthreaddAreTheKernels() {
        String numbers = " 0 0 0 -1 69238880 0 0 0 0 7 1106 0 0 0 -20 1 0 123";
        assertThat(MachineTime.kernelTicks("44 (kworker/1:1H-kblockd) I 2" + numbers))
                .isEqualTo(1113);
        assertThat(MachineTime.kernelTicks("44 (a) I 2) S 1" + numbers)).isZero();
        assertThat(MachineTime.kernelTicks("")).isZero();
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
        assertThatThrownBy(() -> MachineTime.parse("cpu 1 2 3", 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MachineTime.parse("", 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
