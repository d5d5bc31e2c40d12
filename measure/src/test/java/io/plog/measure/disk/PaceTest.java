package io.plog.measure.disk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PaceTest {
    @Test
    void blocksShareTheTimeByWeight() {
        DiskRun.Pace pace = new DiskRun.Pace(0, 5000, 5, 100);
        assertThat(pace.turnNanos(1)).isEqualTo(10);
        assertThat(pace.turnNanos(5)).isEqualTo(50);
        assertThat(pace.another(0, 1000)).isTrue();
        assertThat(pace.turnNanos(1)).isEqualTo(10);
    }

    @Test
    void whatABlockTakesBeyondItsTurnsIsExpectedOfTheNext() {
        DiskRun.Pace pace = new DiskRun.Pace(0, 5000, 5, 100);
        assertThat(pace.another(0, 1400)).isTrue(); // 400 beyond; 3600 left for 4 blocks: 900 each, 400 of them lost
        assertThat(pace.turnNanos(1)).isEqualTo(5);
    }

    @Test
    void aBlockThatLeavesNoTimeForAnotherIsTheLast() {
        assertThat(new DiskRun.Pace(0, 5000, 5, 100).another(0, 4000))
                .as("1000 left, 3000 needed")
                .isFalse();
        assertThat(new DiskRun.Pace(0, 5000, 5, 100).another(0, 9000)).isFalse();
    }

    @Test
    void thePlannedBlocksAreEnough() {
        DiskRun.Pace pace = new DiskRun.Pace(0, 1000, 2, 1);
        assertThat(pace.another(0, 10)).isTrue();
        assertThat(pace.another(10, 20)).isFalse();
    }

    @Test
    void withoutTimeEachTurnIsOneGroup() {
        assertThat(new DiskRun.Pace(100, 50, 5, 3).turnNanos(5)).isZero();
    }
}
