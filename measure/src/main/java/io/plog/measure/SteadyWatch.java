package io.plog.measure;

import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.stats.SteadyState;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Follows the warm-up of all cells and says when each has become steady. For one thread. */
final class SteadyWatch {
    private final Map<CellKey, long[]> endToEnd = new HashMap<>();

    /** Takes what a cell's turn measured. */
    void add(CellKey cell, List<Samples> parts) {
        for (Samples part : parts) {
            long[] more = part.column(Column.END_TO_END);
            long[] before = endToEnd.getOrDefault(cell, new long[0]);
            long[] all = Arrays.copyOf(before, before.length + more.length);
            System.arraycopy(more, 0, all, before.length, more.length);
            endToEnd.put(cell, all);
        }
    }

    /**
     * Whether each of these cells is steady: of its latencies so far, what comes before the steady part is no more than
     * half, and there is no trend behind it.
     */
    boolean steady(List<CellKey> cells) {
        return cells.stream()
                .allMatch(cell ->
                        SteadyState.of(endToEnd.getOrDefault(cell, new long[0])).verdict()
                                == SteadyState.Verdict.STEADY);
    }
}
