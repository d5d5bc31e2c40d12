package io.plog.results.cells;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.results.model.Results;
import io.plog.stats.LevelChange;
import io.plog.stats.Quantiles;
import io.plog.stats.numbers.Longs;
import io.plog.stats.text.Micros;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongUnaryOperator;

/** How the latency of a cell was from one second, minute or hour to the next. Stateless. */
final class OverTime {
    /** From a second to six hours: as many as a figure can show. */
    private static final long[] SLOT_SECONDS = {1, 10, 60, 600, 3_600, 21_600};

    private static final int MOST_SLOTS = 150;
    private static final int WORST = 10;

    private OverTime() {}

    /** The slots in which something was counted. */
    static List<Results.Slot> slots(Samples samples, Longs counted, LongUnaryOperator latency) {
        LongUnaryOperator sent = at -> samples.get(Column.SENT, counted.get(at));
        long length = slotNanos(sent.applyAsLong(counted.count() - 1) - sent.applyAsLong(0));
        Longs values = counted.map(latency);
        List<Results.Slot> slots = new ArrayList<>();
        long from = 0;
        while (from < counted.count()) {
            long slot = Math.floorDiv(sent.applyAsLong(from), length);
            long to = from;
            while (to < counted.count() && Math.floorDiv(sent.applyAsLong(to), length) == slot) {
                to++;
            }
            Longs ascending = values.part(from, to).sorted();
            slots.add(new Results.Slot(
                    slot * (length / 1_000_000_000),
                    ascending.count(),
                    Micros.ofNanos(Quantiles.of(ascending, 0.5)),
                    Micros.ofNanos(Quantiles.of(ascending, 0.99)),
                    Micros.ofNanos(Quantiles.of(ascending, 0.999))));
            from = to;
        }
        return slots;
    }

    private static long slotNanos(long allNanos) {
        for (long seconds : SLOT_SECONDS) {
            if (allNanos / 1_000_000_000 / seconds < MOST_SLOTS) {
                return seconds * 1_000_000_000;
            }
        }
        return SLOT_SECONDS[SLOT_SECONDS.length - 1] * 1_000_000_000;
    }

    /** Where the medians of these change. */
    static List<Results.Level> levels(List<Results.Slot> slots) {
        double[] medians = slots.stream().mapToDouble(Results.Slot::p50).toArray();
        return LevelChange.of(medians).stream()
                .map(each -> new Results.Level(slots.get(each.at()).startSeconds(), each.before(), each.after()))
                .toList();
    }

    /**
     * The slowest request of each of the worst moments, slowest first. Requests that began before the slowest of a moment had ended are
     * of that moment, since the same held them up.
     *
     * @return places in {@code counted}
     */
    static List<Long> worst(Longs counted, RequestParts parts) {
        Comparator<Long> byLatency = Comparator.comparingLong((Long at) -> parts.latencyNanos(counted.get(at)))
                .thenComparing(Comparator.reverseOrder());
        PriorityQueue<Long> worst = new PriorityQueue<>(byLatency);
        long slowest = 0;
        for (long at = 1; at <= counted.count(); at++) {
            boolean ends =
                    at == counted.count() || parts.beginNanos(counted.get(at)) > parts.endNanos(counted.get(slowest));
            if (ends) {
                worst.add(slowest);
                if (worst.size() > WORST) {
                    worst.poll();
                }
            }
            if (ends || byLatency.compare(at, slowest) > 0) {
                slowest = at;
            }
        }
        return worst.stream().sorted(byLatency.reversed()).toList();
    }
}
