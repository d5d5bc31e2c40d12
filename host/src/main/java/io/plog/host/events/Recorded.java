package io.plog.host.events;

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
    /** Keeps a copy of the facts, in their order. */
    public Recorded {
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
    }
}
