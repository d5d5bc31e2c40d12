package io.plog.results.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.results.cells.FigureData;
import io.plog.results.cells.TimeSeries;
import java.util.List;
import org.junit.jupiter.api.Test;

final class InterruptionSpansTest {
    /** Two turns of 10 requests in runs of five: 0 to 9 ms and 100 to 109 ms, a request a millisecond. */
    private static final TimeSeries SERIES = new TimeSeries(
            new long[] {0, 5, 10, 15}, new long[4], new long[4], new long[4], new int[] {0, 5, 100, 105}, new int[] {
                4, 9, 104, 109
            });

    private static FigureData.Lane lane(double start, double length) {
        return new FigureData.Lane("server", "gc", new double[] {start}, new double[] {length});
    }

    private static List<double[]> spans(double start, double length) {
        return InterruptionSpans.of(lane(start, length), SERIES, 20);
    }

    @Test
    void anEventLiesOnTheRequestsThatItFellOn() {
        assertThat(spans(6, 2))
                .singleElement()
                .satisfies(span -> assertThat(span).containsExactly(7, 9));
    }

    @Test
    void anEventOfAnotherCellsTurnIsLeftOut() {
        assertThat(spans(50, 10)).isEmpty();
        assertThat(spans(500, 10)).isEmpty();
    }

    @Test
    void anEventAcrossTwoRunsIsInBoth() {
        List<double[]> both = spans(3, 4);
        assertThat(both).hasSize(2);
        assertThat(both.get(0)).containsExactly(4, 6);
        assertThat(both.get(1)).containsExactly(6, 8);
    }

    @Test
    void anEventAcrossTheTimeOfOtherCellsCoversOnlyOurs() {
        List<double[]> both = spans(8, 93);
        assertThat(both).hasSize(2);
        assertThat(both.get(0)).containsExactly(9, 11);
        assertThat(both.get(1)).containsExactly(11, 12);
    }

    @Test
    void whatTouchesIsOneBarAndCoversTheSameRequests() {
        assertThat(InterruptionSpans.joined(lane(8, 93), SERIES, 20))
                .singleElement()
                .satisfies(span -> assertThat(span).containsExactly(9, 12));
    }
}
