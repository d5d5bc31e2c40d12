package io.plog.protocol.events;

import io.plog.protocol.Printable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one side recorded up to a moment; what {@code GET /events} answers.
 *
 * @param facts what could be recorded and what not, by name
 * @param counters at the moment
 * @param totals of every kind, since the recording began
 * @param events the longest of each kind that ended since the time that was asked about, by start
 */
public record Recorded(Map<String, String> facts, Counters counters, List<KindTotal> totals, List<Event> events) {
    /** Takes the facts as they may be shown to people, since they may come from elsewhere. */
    public Recorded {
        Map<String, String> shown = new LinkedHashMap<>();
        facts.forEach((name, value) -> shown.put(Printable.of(name), Printable.of(value)));
        facts = Collections.unmodifiableMap(shown);
    }
}
