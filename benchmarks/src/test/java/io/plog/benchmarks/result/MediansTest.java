package io.plog.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class MediansTest {
    @Test
    void theMedianIsTheMiddleOneOrTheMeanOfTheMiddleTwo() {
        assertThat(Medians.of(9, 1, 5)).isEqualTo(5);
        assertThat(Medians.of(9, 1, 5, 6)).isEqualTo(5.5);
    }

    @Test
    void whatIsUnknownDoesNotCountAndNothingHasNoMedian() {
        assertThat(Medians.of(List.of(1, 2, 3), each -> each == 2 ? null : (double) each))
                .isEqualTo(2);
        assertThat(Medians.of(List.of(1), each -> (Double) null)).isNull();
        assertThatThrownBy(() -> Medians.of()).isInstanceOf(IllegalArgumentException.class);
    }
}
