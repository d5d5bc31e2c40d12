package io.plog.report.figure;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.stats.text.Micros;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TicksTest {
    @Test
    void labelsAroundNothingHaveRoomAndNothingKeepsIts() {
        for (double[] range :
                new double[][] {{-3, 20_000}, {-40, 20_000}, {-5_000, 5_000}, {-3, 30}, {-2e6, 3e6}, {-0.5, 3}}) {
            for (double pixels : new double[] {60, 110, 190, 400}) {
                List<Axis.Tick> ticks = Ticks.arsinh(range[0], range[1], pixels, Micros::withUnit);
                Axis axis = new Axis("", Axis.Scale.ARSINH, range[0], range[1], ticks, false);
                assertThat(ticks).extracting(Axis.Tick::at).contains(0.0).isSorted();
                for (int i = 1; i < ticks.size(); i++) {
                    double apart = axis.place(ticks.get(i).at())
                            - axis.place(ticks.get(i - 1).at());
                    assertThat(apart * pixels).isGreaterThanOrEqualTo(Ticks.LABEL_PIXELS);
                }
            }
        }
        assertThat(Ticks.arsinh(-3, 20_000, 190, Micros::withUnit))
                .extracting(Axis.Tick::label)
                .containsExactly("0 µs", "10 µs", "100 µs", "1 ms", "10 ms");
        assertThat(Ticks.arsinh(-3, 20_000, 110, Micros::withUnit))
                .extracting(Axis.Tick::label)
                .containsExactly("0 µs", "100 µs", "1 ms", "10 ms");
    }
}
