package io.plog.client.report;

import io.plog.client.load.Column;
import io.plog.client.load.Samples;
import io.plog.protocol.events.Event;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Puts events under the time series of a cell. Its axis is the number of the request, since a cell runs in pieces between
 * those of the others; an event belongs to the request that was under way.
 */
final class Lanes {
    /** Of each lane of each cell, the longest: enough to see, and small enough to embed. */
    private static final int MOST_PER_LANE = 60;

    /** Among so many requests sent before the end of an event, one that was still under way is looked for. */
    private static final int MOST_UNDER_WAY = 64;

    private static final Comparator<Mark> BY_LENGTH = Comparator.comparingLong((Mark mark) -> -mark.nanos);
    private static final Comparator<Mark> BY_START = Comparator.comparingLong(Mark::startNanos);

    private final Samples samples;
    private final int[] counted;

    private record Mark(int request, long startNanos, long nanos) {}

    private Lanes(Samples samples, int[] counted) {
        this.samples = samples;
        this.counted = counted;
    }

    /** The lanes of a cell, by side and kind; none without an event that met one of its counted requests. */
    static List<Figures.Lane> of(Interruptions interruptions, Samples samples, int[] counted) {
        Lanes lanes = new Lanes(samples, counted);
        Map<String, List<Mark>> marks = new TreeMap<>();
        Map<String, Interruptions.Placed> names = new TreeMap<>();
        interruptions.placed().forEach(placed -> {
            int request = lanes.requestDuring(placed.trial(), placed.event());
            if (request >= 0) {
                names.putIfAbsent(placed.lane(), placed);
                marks.computeIfAbsent(placed.lane(), name -> new ArrayList<>())
                        .add(new Mark(
                                request,
                                placed.event().startNanos(),
                                placed.event().durationNanos()));
            }
        });
        List<Figures.Lane> found = new ArrayList<>();
        names.forEach((name, placed) -> {
            List<Mark> all = marks.getOrDefault(name, List.of());
            List<Mark> shown = all.stream()
                    .sorted(BY_LENGTH)
                    .limit(MOST_PER_LANE)
                    .sorted(BY_START)
                    .toList();
            found.add(new Figures.Lane(
                    placed.side(),
                    placed.event().kind(),
                    all.size(),
                    shown.stream().mapToInt(Mark::request).toArray(),
                    shown.stream().mapToLong(mark -> mark.startNanos / 1000).toArray(),
                    shown.stream().mapToLong(mark -> mark.nanos / 1000).toArray()));
        });
        return found;
    }

    /** Which counted request, from 0, was under way during the event; -1 if none of this cell was. */
    private int requestDuring(int trial, Event event) {
        int last = lastSentBefore(event.endNanos());
        for (int i = last; i >= 0 && i > last - MOST_UNDER_WAY; i--) {
            int sample = counted[i];
            long end = samples.get(Column.SENT, sample) + samples.get(Column.END_TO_END, sample);
            if (end > event.startNanos() && samples.get(Column.TRIAL, sample) == trial) {
                return i;
            }
        }
        return -1;
    }

    /** Samples are in the order of sending. */
    private int lastSentBefore(long nanos) {
        int low = 0;
        int high = counted.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (samples.get(Column.SENT, counted[middle]) < nanos) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }
}
