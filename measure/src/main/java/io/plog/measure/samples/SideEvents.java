package io.plog.measure.samples;

import io.plog.host.events.Event;
import io.plog.host.events.KindTotal;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What one side recorded besides the samples of one trial; an EVENTS chunk of the sample file.
 *
 * @param trial the trial, from 0
 * @param side {@link #CLIENT} or {@link #SERVER}
 * @param facts what could be recorded and what not, and why
 * @param uncertaintyNanos by how much the times may be wrong on the run's clock; 0 for the client's own
 * @param totals of every kind while the run went on, also of events that are not among {@code events}
 * @param usage what the side used up while the run went on; empty if it is not known, else one
 * @param events the longest of each kind by start, in nanoseconds since the start of the run, as in {@link Column#SENT}
 */
public record SideEvents(
        int trial,
        String side,
        Map<String, String> facts,
        long uncertaintyNanos,
        List<KindTotal> totals,
        List<SideUsage> usage,
        List<Event> events) {
    /** The side that measured. */
    public static final String CLIENT = "client";

    public static final String SERVER = "server";

    /** The fact that names the connections that the events belong to, as {@code 0-3}; without it they belong to all. */
    public static final String CONNECTIONS = "connections";

    /** The server's fact that says when the run began, by the server's {@link System#nanoTime}. */
    public static final String BEGAN_AT_NANOS = "beganAtNanos";

    /** The fact that names the target of a study's cell that the events belong to, by its number. */
    private static final String CELL = "cell";

    /** The same, as those of one cell of a study, which has a server of its own. */
    public SideEvents ofCell(int targetId, int itsTrial) {
        Map<String, String> more = new TreeMap<>(facts);
        more.put(CELL, Integer.toString(targetId));
        return new SideEvents(itsTrial, side, more, uncertaintyNanos, totals, usage, events);
    }

    /** Whether they are those of this cell of a study. */
    public boolean isOfCell(int targetId) {
        return Integer.toString(targetId).equals(facts.get(CELL));
    }

    /** When the run began by the server's clock; empty if it was not asked. */
    public OptionalLong beganAtNanos() {
        try {
            return OptionalLong.of(Long.parseLong(facts.getOrDefault(BEGAN_AT_NANOS, "")));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** A side that reported nothing but why. */
    public static SideEvents none(int trial, String side, Map<String, String> facts) {
        return new SideEvents(trial, side, facts, 0, List.of(), List.of(), List.of());
    }

    /** The same in a run that began so much earlier than the trial. */
    public SideEvents later(long nanos) {
        return new SideEvents(
                trial,
                side,
                facts,
                uncertaintyNanos,
                totals,
                usage,
                events.stream().map(event -> event.shifted(nanos)).toList());
    }

    /** The same, as those of one of several clients: they went on at the requests of these connections only, both included. */
    SideEvents ofConnections(int first, int last) {
        Map<String, String> more = new TreeMap<>(facts);
        more.put(CONNECTIONS, first + "-" + last);
        return new SideEvents(trial, side, more, uncertaintyNanos, totals, usage, events);
    }

    /**
     * Whether the events went on where a request came from.
     *
     * @param connection the request's, as in {@link Column#CONNECTION}
     */
    public boolean concerns(long connection) {
        String[] ends = facts.getOrDefault(CONNECTIONS, "").split("-", -1);
        try {
            return ends.length != 2 || (connection >= Long.parseLong(ends[0]) && connection <= Long.parseLong(ends[1]));
        } catch (NumberFormatException e) {
            return true;
        }
    }
}
