package io.plog.measure;

import static java.util.function.Predicate.not;

import io.plog.client.ClientOptions;
import io.plog.host.ClientFacts;
import io.plog.host.events.Event;
import io.plog.host.events.EventKind;
import io.plog.host.events.EventRecorder;
import io.plog.host.events.EventStore;
import io.plog.host.events.KindTotal;
import io.plog.host.events.Recorded;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.samples.SideEvents;
import io.plog.measure.samples.SideUsage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Records what interrupts client, server and machine during a run: made before it, {@link #writeTo} after. A run on
 * directories has no server.
 * Neither ends a run: the facts of a side say what could not be recorded.
 *
 * <p>For one thread.
 */
public final class EventRecording implements AutoCloseable {
    /** The server's fact that names its admin port. */
    static final String ADMIN_PORT = "adminPort";

    private static final String NOT_AVAILABLE = "not available: ";

    private final EventRecorder own;
    private final Recorded ownBefore;
    private Recorded ownCounted;
    private final boolean sameMachine;
    private final boolean hasServer;
    private final int trial;
    private @Nullable Server server;
    private String serverProblem = ""; // why it is null, if there is one
    private List<ProcessHandle> clients = List.of(); // with this one, what the client's figures are of
    private long clientsNanosCounted;

    /** What the server had recorded at the start, and how far its clock was ahead. */
    private static final class Server {
        final AdminClient client;
        final Recorded first;
        final ClockOffset offset;
        Recorded counted;

        Server(AdminClient client) throws IOException {
            this.client = client;
            first = client.events(Long.MAX_VALUE);
            offset = client.clock();
            counted = first;
        }

        /** What it has counted; empty if it cannot be asked, which the end of the run will report. */
        Optional<Recorded> now() {
            try {
                return Optional.of(client.events(Long.MAX_VALUE));
            } catch (IOException theEndOfTheRunReportsIt) {
                return Optional.empty();
            }
        }
    }

    /**
     * Starts to record here and at the server.
     *
     * @param peer where the server answers; null if there is none
     * @param options how to connect to it
     * @param info of the run: what the server reported of itself, and whether it is on this machine
     */
    public EventRecording(@Nullable InetSocketAddress peer, ClientOptions options, int trial, RunInfo info) {
        this.trial = trial;
        sameMachine = ClientFacts.isOverLoopback(info.client());
        hasServer = peer != null;
        own = EventRecorder.start(new EventStore(), List.of());
        ownBefore = own.recorded(Long.MAX_VALUE);
        ownCounted = ownBefore;
        if (peer != null) {
            begin(peer.getAddress(), options, info.server().get(ADMIN_PORT));
        }
    }

    private void begin(InetAddress host, ClientOptions options, @Nullable String port) {
        if (port == null) {
            serverProblem = "the server has no admin port";
            return;
        }
        try {
            server = new Server(new AdminClient(new InetSocketAddress(host, Integer.parseInt(port)), options));
        } catch (IOException | IllegalArgumentException e) {
            serverProblem = "admin port " + port + " of " + host.getHostAddress() + ": "
                    + what(e).lines().findFirst().orElse("");
        }
    }

    private static String what(Exception e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private Optional<Recorded> serverNow() {
        return server == null ? Optional.empty() : server.now();
    }

    /**
     * How long the just-in-time compilers of the client and of the server have worked, in nanoseconds. A side that does not report it is
     * left out.
     */
    List<Long> compilerNanos() {
        long atServer = serverNow().map(now -> now.counters().compilerNanos()).orElse(-1L);
        return Stream.of(own.compilerNanos(), atServer)
                .filter(nanos -> nanos >= 0)
                .toList();
    }

    /**
     * From now on requests count: what either side uses up is counted from here.
     *
     * @param processes the other ones of the run on this machine, which the client answers for
     */
    void countFromHere(List<ProcessHandle> processes) {
        ownCounted = own.recorded(Long.MAX_VALUE);
        clients = processes.stream().filter(not(this::isServer)).toList();
        clientsNanosCounted = clientsNanos();
        Server asked = server;
        if (asked != null) {
            asked.now().ifPresent(now -> asked.counted = now);
        }
    }

    /** Requests are under way from now on, or are not: what disturbs nobody is not noted. */
    void underWay(boolean are) {
        own.noteHiccups(are);
    }

    private boolean isServer(ProcessHandle process) {
        return sameMachine
                && server != null
                && Long.toString(process.pid()).equals(server.first.facts().get(EventRecorder.PID));
    }

    private long clientsNanos() {
        return clients.stream()
                .flatMap(process -> process.info().totalCpuDuration().stream())
                .mapToLong(Duration::toNanos)
                .sum();
    }

    /**
     * Writes what was recorded since the start.
     *
     * @param runStartNanos the run's time 0
     */
    public void writeTo(SampleFileWriter writer, long runStartNanos) throws IOException {
        Recorded after = own.recorded(runStartNanos);
        writer.append(new SideEvents(
                trial,
                SideEvents.CLIENT,
                after.facts(),
                0,
                totals(ownBefore.totals(), after.totals(), after.events()),
                List.of(SideUsage.between(ownCounted, after, Math.max(0, clientsNanos() - clientsNanosCounted))),
                after.events().stream()
                        .map(event -> event.shifted(-runStartNanos))
                        .toList()));
        if (hasServer) {
            writer.append(atServer(runStartNanos));
        }
    }

    private SideEvents atServer(long runStartNanos) {
        String problem = serverProblem;
        if (server != null) {
            try {
                return atServer(runStartNanos, server);
            } catch (IOException e) {
                problem = "the server's admin port did not answer after the run: " + what(e);
            }
        }
        return SideEvents.none(trial, SideEvents.SERVER, Map.of("events", NOT_AVAILABLE + problem));
    }

    private SideEvents atServer(long runStartNanos, Server asked) throws IOException {
        Recorded last = asked.client.events(asked.first.counters().atNanos());
        ClockOffset before = asked.offset;
        ClockOffset after = asked.client.clock();
        List<Event> events = new ArrayList<>();
        for (Event event : last.events()) {
            long start = ClockOffset.toOurs(event.startNanos(), before, after) - runStartNanos;
            if (isWanted(event.kind()) && start + event.withinNanos() >= 0) {
                events.add(event.shifted(start - event.startNanos()));
            }
        }
        Map<String, String> facts = new TreeMap<>(last.facts());
        facts.put(SideEvents.BEGAN_AT_NANOS, Long.toString(ClockOffset.toServers(runStartNanos, before, after)));
        return new SideEvents(
                trial,
                SideEvents.SERVER,
                facts,
                Math.max(before.uncertaintyNanos(), after.uncertaintyNanos()),
                totals(asked.first.totals(), last.totals(), events).stream()
                        .filter(total -> isWanted(total.kind()))
                        .toList(),
                List.of(SideUsage.between(asked.counted, last, 0)),
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

    /** Stops recording here; the server keeps recording. */
    @Override
    public void close() {
        own.close();
    }
}
