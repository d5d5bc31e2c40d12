package io.plog.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ReplicatesTest {
    @Test
    void allSamplesAreThereInAscendingOrder() {
        Replicates samples = Replicates.of(
                List.of(List.of(new long[] {5, 1}, new long[] {4}), List.of(new long[] {2, 3}, new long[] {0})));
        assertThat(samples.ascending().toArray()).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(samples.count()).isEqualTo(6);
        assertThat(samples.inTime().toArray()).as("the order of time is kept").containsExactly(5, 1, 4, 2, 3, 0);
    }

    @Test
    void whatIsEmptyOrNegativeIsRefusedWithItsPlace() {
        assertThatThrownBy(() -> Replicates.of(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no trials, expected at least 1");
        assertThatThrownBy(() -> Replicates.of(List.of(List.of(new long[] {1}), List.of())))
                .hasMessage("trial 1 has no blocks, expected at least 1");
        assertThatThrownBy(() -> Replicates.of(List.of(List.of(new long[] {1}, new long[0]))))
                .hasMessage("block 1 of trial 0 has no samples, expected at least 1");
        assertThatThrownBy(() -> Replicates.of(List.of(List.of(new long[] {3, -1}))))
                .hasMessage("block 0 of trial 0 has a sample -1, expected at least 0");
    }

    @Test
    void theShapeIsTrialsAndTheirBlocks() {
        long[] one = {1};
        Replicates twoBlocks = Replicates.of(List.of(List.of(one, one)));
        assertThat(twoBlocks.hasShapeOf(Replicates.of(List.of(List.of(new long[] {1, 2}, one)))))
                .isTrue();
        assertThat(twoBlocks.hasShapeOf(Replicates.of(List.of(List.of(one), List.of(one)))))
                .isFalse();
    }
}
