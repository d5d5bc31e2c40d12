package io.plog.results.cells;

import io.plog.host.events.Event;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What interrupted client, server and machine, for the lanes under a time series. Stateless. */
public final class InterruptionLanes {
    /** More events would only draw a dark bar and make the report large. */
    private static final int MOST_EVENTS = 400;

    private InterruptionLanes() {}

    /** The events by side and kind, each lane by start; the longest of them if there are many. */
    public static List<FigureData.Lane> of(Interruptions interruptions) {
        Map<String, List<Interruptions.Placed>> byLane = new TreeMap<>();
        interruptions
                .placed()
                .forEach(placed -> byLane.computeIfAbsent(placed.lane(), lane -> new ArrayList<>())
                        .add(placed));
        return byLane.values().stream().map(InterruptionLanes::lane).toList();
    }

    private static FigureData.Lane lane(List<Interruptions.Placed> all) {
        List<Event> shown = all.stream()
                .map(Interruptions.Placed::event)
                .sorted(Comparator.comparingLong((Event event) -> -event.durationNanos()))
                .limit(MOST_EVENTS)
                .sorted(Comparator.comparingLong(Event::startNanos))
                .toList();
        return new FigureData.Lane(
                all.get(0).side(),
                all.get(0).event().kind(),
                shown.stream().mapToDouble(event -> millis(event.startNanos())).toArray(),
                shown.stream().mapToDouble(event -> millis(event.withinNanos())).toArray());
    }

    private static double millis(long nanos) {
        return Units.rounded(nanos / 1e6, 3);
    }
}
