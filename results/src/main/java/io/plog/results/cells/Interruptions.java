package io.plog.results.cells;

import io.plog.host.events.Event;
import io.plog.host.events.EventKind;
import io.plog.host.events.KindTotal;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.SideEvents;
import io.plog.results.model.Results;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What interrupted client, server and machine while the run went on, and which requests it met. Immutable. */
public final class Interruptions {
    private static final String MACHINE = "machine";

    /** More would not be read. */
    private static final int MOST_OVERLAPS = 12;

    /** In a lane more would only draw a dark bar and make the report large. */
    private static final int MOST_EVENTS = 400;

    private final List<SideEvents> recorded;

    /** @param recorded as in the sample file */
    public Interruptions(List<SideEvents> recorded) {
        this.recorded = List.copyOf(recorded);
    }

    /** What went on during a request, longest overlap first. */
    List<Results.Overlap> during(Samples samples, long sample, RequestParts parts) {
        long from = parts.beginNanos(sample);
        long to = parts.endNanos(sample);
        List<Results.Overlap> overlaps = new ArrayList<>();
        for (SideEvents side : recorded) {
            if (side.trial() == samples.get(Column.TRIAL, sample)
                    && side.concerns(samples.get(Column.CONNECTION, sample))) {
                for (Event event : side.events()) {
                    long nanos = event.overlapNanos(from, to);
                    // An overlap below the clocks' uncertainty may be none.
                    if (nanos > side.uncertaintyNanos()) {
                        overlaps.add(new Results.Overlap(
                                side(side, event.kind()),
                                event.kind(),
                                Micros.ofNanos(nanos),
                                detail(event, samples, sample)));
                    }
                }
            }
        }
        return overlaps.stream()
                .sorted(Comparator.comparingDouble((Results.Overlap overlap) -> -overlap.micros()))
                .limit(MOST_OVERLAPS)
                .toList();
    }

    private static String detail(Event event, Samples samples, long sample) {
        long own = samples.get(Column.WRITE, sample) + samples.get(Column.FORCE, sample);
        boolean isOwn = event.kind().equals(EventKind.FORCE.label()) && event.durationNanos() == own;
        return isOwn ? event.detail() + "; its own batch" : event.detail();
    }

    private static String side(SideEvents side, String kind) {
        return EventKind.isMachines(kind) ? MACHINE : side.side();
    }

    /** All events by side and kind, over all trials. */
    public List<Results.Pauses> pauses() {
        Map<String, Results.Pauses> pauses = new TreeMap<>();
        for (SideEvents side : recorded) {
            for (KindTotal total : side.totals()) {
                long max = side.events().stream()
                        .filter(event -> event.kind().equals(total.kind()))
                        .mapToLong(Event::durationNanos)
                        .max()
                        .orElse(0);
                String name = side(side, total.kind());
                Results.Pauses one = new Results.Pauses(
                        name, total.kind(), total.count(), Micros.ofNanos(total.totalNanos()), Micros.ofNanos(max));
                pauses.merge(name + "/" + total.kind(), one, Interruptions::sum);
            }
        }
        return List.copyOf(pauses.values());
    }

    private static Results.Pauses sum(Results.Pauses one, Results.Pauses other) {
        return new Results.Pauses(
                one.side(),
                one.kind(),
                one.count() + other.count(),
                Units.rounded(one.totalMicros() + other.totalMicros(), 3),
                Math.max(one.maxMicros(), other.maxMicros()));
    }

    /** What could be recorded on a side and what not, for the results' environment. */
    public Map<String, String> facts(String side) {
        Map<String, String> facts = new TreeMap<>();
        recorded.stream().filter(events -> events.side().equals(side)).forEach(events -> facts.putAll(events.facts()));
        facts.remove(SideEvents.CONNECTIONS);
        facts.remove(SideEvents.BEGAN_AT_NANOS);
        return facts;
    }

    /** What a figure shows, by side and kind, each lane by start; the longest events if there are many. */
    public List<FigureData.Lane> lanes() {
        Map<String, List<Event>> byLane = new TreeMap<>();
        for (SideEvents side : recorded) {
            for (Event event : side.events()) {
                byLane.computeIfAbsent(side(side, event.kind()) + "/" + event.kind(), lane -> new ArrayList<>())
                        .add(event);
            }
        }
        return byLane.entrySet().stream()
                .map(lane -> lane(lane.getKey().split("/", 2)[0], lane.getValue()))
                .toList();
    }

    private static FigureData.Lane lane(String side, List<Event> all) {
        List<Event> shown = all.stream()
                .sorted(Comparator.comparingLong((Event event) -> -event.durationNanos()))
                .limit(MOST_EVENTS)
                .sorted(Comparator.comparingLong(Event::startNanos))
                .toList();
        return new FigureData.Lane(
                side,
                all.get(0).kind(),
                shown.stream().mapToDouble(event -> millis(event.startNanos())).toArray(),
                shown.stream().mapToDouble(event -> millis(event.withinNanos())).toArray());
    }

    private static double millis(long nanos) {
        return Units.rounded(nanos / 1e6, 3);
    }
}
