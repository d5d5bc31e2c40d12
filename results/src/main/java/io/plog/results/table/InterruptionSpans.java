package io.plog.results.table;

import io.plog.results.cells.FigureData;
import io.plog.results.cells.TimeSeries;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Places the events of a lane on the axis of a cell's requests. Between a cell's turns other cells run: their events are left out. */
final class InterruptionSpans {
    /** A gap of less than this part of the axis is narrower than a pixel. */
    private static final double UNSEEN = 1000;

    private InterruptionSpans() {}

    /**
     * From which to which request each event lasted; an event across several of the cell's runs is one span for each.
     *
     * @param count of the cell's requests
     */
    static List<double[]> of(FigureData.Lane lane, TimeSeries series, long count) {
        List<double[]> spans = new ArrayList<>();
        for (int event = 0; event < lane.startMillis().length; event++) {
            double from = lane.startMillis()[event];
            double to = from + lane.lengthMillis()[event];
            for (int run = runAt(series, from); run < series.first().length && series.startMillis()[run] <= to; run++) {
                if (series.endMillis()[run] + 1 >= from) {
                    spans.add(span(series, run, from, to, count));
                }
            }
        }
        return spans;
    }

    /** The same, each span joined with others if no gap between them can be seen: in a lane they are one bar. */
    static List<double[]> joined(FigureData.Lane lane, TimeSeries series, long count) {
        List<double[]> joined = new ArrayList<>();
        of(lane, series, count).stream()
                .sorted(Comparator.comparingDouble(span -> span[0]))
                .forEach(span -> {
                    double[] last = joined.isEmpty() ? null : joined.get(joined.size() - 1);
                    if (last != null && span[0] <= last[1] + count / UNSEEN) {
                        last[1] = Math.max(last[1], span[1]);
                    } else {
                        joined.add(span);
                    }
                });
        return joined;
    }

    /** The first run that ends at or after a moment; runs follow each other in time. */
    private static int runAt(TimeSeries series, double millis) {
        int low = 0;
        int high = series.first().length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (series.endMillis()[middle] + 1 < millis) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Within a run requests are taken to be evenly spaced in time. Its times are whole milliseconds, rounded down. */
    private static double[] span(TimeSeries series, int run, double from, double to, long count) {
        double first = series.first()[run] + 1.0;
        double next = run + 1 < series.first().length ? series.first()[run + 1] + 1.0 : count;
        double start = series.startMillis()[run];
        double length = Math.max(1, series.endMillis()[run] + 1 - start);
        double begin = Math.max(0, Math.min(1, (from - start) / length));
        double end = Math.max(begin, Math.min(1, (to - start) / length));
        return new double[] {first + begin * (next - first), first + end * (next - first)};
    }
}
