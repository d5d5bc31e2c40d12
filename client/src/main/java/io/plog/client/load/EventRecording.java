package io.plog.client.load;

import io.plog.protocol.events.Event;
import io.plog.protocol.events.EventKind;
import io.plog.protocol.events.EventRecorder;
import io.plog.protocol.events.EventStore;
import io.plog.protocol.events.KindTotal;
import io.plog.protocol.events.Recorded;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records what interrupts client, server and machine while a run goes on: {@link #start} before it, {@link #writeTo} after.
 * Neither ever ends a run: what cannot be recorded is said in the facts of its side.
 *
 * <p>For one thread.
 */
public final class EventRecording implements AutoCloseable {
    /** The server's fact that names its admin port. */
    static final String ADMIN_PORT = "adminPort";

    /** A system property to measure what recording itself costs; of no other use. */
    private static final String SWITCH_OFF = "plog.events.off";

    private static final String NOT_AVAILABLE = "not available: ";

    private final @Nullable EventRecorder own;
    private final @Nullable Recorded ownBefore;
    private final boolean sameMachine;
    private final String host;
    private final int trial;
    private @Nullable AdminClient admin;
    private @Nullable Recorded serverBefore;
    private @Nullable ClockOffset offsetBefore;
    private String serverProblem = "";

    private EventRecording(String host, int trial, boolean sameMachine, boolean record) {
        this.host = host;
        this.trial = trial;
        this.sameMachine = sameMachine;
        this.own = record ? EventRecorder.start(new EventStore(), List.of()) : null;
        this.ownBefore = own == null ? null : own.recorded(Long.MAX_VALUE);
    }

    /**
     * Starts to record here and at the server; takes a second or two.
     *
     * @param info of the run: what the server told of itself, and whether it is on this machine
     */
    public static EventRecording start(String host, int trial, RunInfo info) {
        boolean sameMachine = "loopback".equals(info.client().get("network"));
        EventRecording recording = new EventRecording(host, trial, sameMachine, !Boolean.getBoolean(SWITCH_OFF));
        recording.startAtServer(info.server());
        return recording;
    }

    /**
     * Has a server begin to record, and returns at once: its JVM takes a second or two for that, which the next recording then
     * does not wait for. That it cannot be asked is for the next recording to say.
     */
    public static void prepare(String host, int adminPort) {
        Thread asking = new Thread(
                () -> {
                    try {
                        new AdminClient(host, adminPort).events(Long.MAX_VALUE);
                    } catch (IOException | IllegalArgumentException e) {
                        // The recording will meet the same, and says so.
                    }
                },
                "plog-events-prepare");
        asking.setDaemon(true);
        asking.start();
    }

    private void startAtServer(Map<String, String> serverFacts) {
        String port = serverFacts.get(ADMIN_PORT);
        if (own == null) {
            return;
        }
        if (port == null) {
            serverProblem = "the server has no admin port";
            return;
        }
        try {
            AdminClient client = new AdminClient(host, Integer.parseInt(port));
            serverBefore = client.events(Long.MAX_VALUE);
            offsetBefore = client.clock();
            admin = client;
        } catch (IOException | IllegalArgumentException e) {
            serverProblem = problem(port, e);
        }
    }

    private String problem(String port, Exception e) {
        String what = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return "admin port " + host + ":" + port + ": "
                + what.lines().findFirst().orElse("");
    }

    /**
     * Writes what was recorded since the start; takes a second or two.
     *
     * @param runStartNanos the run's time 0
     * @throws IOException if the file cannot be written
     */
    public void writeTo(SampleFileWriter writer, long runStartNanos) throws IOException {
        if (own == null || ownBefore == null) {
            Map<String, String> facts = Map.of("events", "not recorded: switched off");
            writer.append(SideEvents.none(trial, SideEvents.CLIENT, facts));
            writer.append(SideEvents.none(trial, SideEvents.SERVER, facts));
            return;
        }
        SideEvents server = server(runStartNanos);
        Recorded after = own.recorded(runStartNanos);
        writer.append(new SideEvents(
                trial,
                SideEvents.CLIENT,
                after.facts(),
                0,
                totals(ownBefore.totals(), after.totals(), after.events()),
                List.of(SideUsage.between(ownBefore.counters(), after.counters())),
                after.events().stream()
                        .map(event -> event.shifted(-runStartNanos))
                        .toList()));
        writer.append(server);
    }

    private SideEvents server(long runStartNanos) {
        AdminClient client = admin;
        ClockOffset before = offsetBefore;
        Recorded first = serverBefore;
        if (client == null || before == null || first == null) {
            return SideEvents.none(trial, SideEvents.SERVER, Map.of("events", NOT_AVAILABLE + serverProblem));
        }
        try {
            ClockOffset after = client.clock();
            Recorded last = client.events(first.counters().atNanos());
            return server(runStartNanos, before, after, first, last);
        } catch (IOException e) {
            String what = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            String sentence = "the server's admin port did not answer after the run: " + what;
            return SideEvents.none(trial, SideEvents.SERVER, Map.of("events", NOT_AVAILABLE + sentence));
        }
    }

    private SideEvents server(
            long runStartNanos, ClockOffset before, ClockOffset after, Recorded first, Recorded last) {
        List<Event> events = new ArrayList<>();
        for (Event event : last.events()) {
            long start = ClockOffset.toOurs(event.startNanos(), before, after) - runStartNanos;
            if (isWanted(event.kind()) && start + event.withinNanos() >= 0) {
                events.add(event.shifted(start - event.startNanos()));
            }
        }
        return new SideEvents(
                trial,
                SideEvents.SERVER,
                last.facts(),
                Math.max(before.uncertaintyNanos(), after.uncertaintyNanos()),
                totals(first.totals(), last.totals(), events).stream()
                        .filter(total -> isWanted(total.kind()))
                        .toList(),
                List.of(SideUsage.between(first.counters(), last.counters())),
                events);
    }

    /** The machine's events are recorded by both if they share it, and kept once. */
    private boolean isWanted(String kind) {
        return !sameMachine || !EventKind.isMachines(kind);
    }

    /**
     * All events of the run by kind. Where every one was kept, they are counted; else it is what was counted at the two
     * moments, which lie a little outside of the run.
     */
    private static List<KindTotal> totals(List<KindTotal> before, List<KindTotal> after, List<Event> kept) {
        Map<String, KindTotal> first = new HashMap<>();
        before.forEach(total -> first.put(total.kind(), total));
        Map<String, KindTotal> ofKept = new HashMap<>();
        kept.forEach(event ->
                ofKept.merge(event.kind(), new KindTotal(event.kind(), 1, event.durationNanos()), KindTotal::plus));
        List<KindTotal> totals = new ArrayList<>();
        for (KindTotal total : after) {
            KindTotal none = new KindTotal(total.kind(), 0, 0);
            KindTotal found = ofKept.getOrDefault(total.kind(), none);
            if (found.count() >= EventStore.MOST_OF_A_KIND) {
                KindTotal then = first.getOrDefault(total.kind(), none);
                found = new KindTotal(
                        total.kind(), total.count() - then.count(), total.totalNanos() - then.totalNanos());
            }
            if (found.count() > 0) {
                totals.add(found);
            }
        }
        return totals;
    }

    /** Stops recording here; the server goes on by itself. */
    @Override
    public void close() {
        if (own != null) {
            own.close();
        }
    }
}
