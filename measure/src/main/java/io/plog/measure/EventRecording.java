package io.plog.measure;

import static java.util.function.Predicate.not;

import io.plog.client.ClientOptions;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Records what interrupts client, server and machine during a run: {@link #start} before it, {@link #writeTo} after. A run on
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
    private final String host;
    private final ClientOptions options;
    private final int trial;
    private @Nullable AdminClient admin;
    private @Nullable Recorded serverBefore;
    private @Nullable Recorded serverCounted;
    private @Nullable ClockOffset offsetBefore;
    private String serverProblem = "";
    private List<ProcessHandle> clients = List.of(); // with this one, what the client's figures are of
    private long clientsNanosCounted;

    private EventRecording(String host, ClientOptions options, int trial, RunInfo info) {
        this.host = host;
        this.options = options;
        this.trial = trial;
        sameMachine = "loopback".equals(info.client().get("network"));
        hasServer = !info.isOfDisks();
        // A JVM takes a second or so to begin: both do at the same time.
        FutureTask<Recorded> atServer = hasServer ? beginAtServer(info.server()) : null;
        own = EventRecorder.start(new EventStore(), List.of());
        ownBefore = own.recorded(Long.MAX_VALUE);
        ownCounted = ownBefore;
        if (atServer != null) {
            awaitServer(atServer);
        }
    }

    /**
     * Starts to record here and at the server; takes a second or so.
     *
     * @param options how to connect to the server
     * @param info of the run: what the server reported of itself, and whether it is on this machine
     */
    public static EventRecording start(String host, ClientOptions options, int trial, RunInfo info) {
        return new EventRecording(host, options, trial, info);
    }

    /** Asks the server in a thread of its own. Null, with a reason, if it cannot be asked. */
    private @Nullable FutureTask<Recorded> beginAtServer(Map<String, String> serverFacts) {
        String port = serverFacts.get(ADMIN_PORT);
        if (port == null) {
            serverProblem = "the server has no admin port";
            return null;
        }
        try {
            AdminClient client = new AdminClient(host, Integer.parseInt(port), options);
            admin = client;
            return inBackground(() -> client.events(Long.MAX_VALUE));
        } catch (NumberFormatException e) {
            serverProblem = problem(port, e);
            return null;
        }
    }

    private void awaitServer(FutureTask<Recorded> asked) {
        AdminClient client = Objects.requireNonNull(admin);
        try {
            serverBefore = result(asked);
            serverCounted = serverBefore;
            offsetBefore = client.clock();
        } catch (IOException | IllegalArgumentException e) {
            serverProblem = problem(Integer.toString(client.port()), e);
        }
    }

    /**
     * How long the just-in-time compilers of the client and of the server have worked, in nanoseconds. A side that does not report it is
     * left out.
     */
    List<Long> compilerNanos() {
        long atServer =
                askForCounters().map(now -> now.counters().compilerNanos()).orElse(-1L);
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
        askForCounters().ifPresent(now -> serverCounted = now);
    }

    private boolean isServer(ProcessHandle process) {
        return sameMachine
                && serverBefore != null
                && Long.toString(process.pid()).equals(serverBefore.facts().get(EventRecorder.PID));
    }

    private long clientsNanos() {
        return clients.stream()
                .flatMap(process -> process.info().totalCpuDuration().stream())
                .mapToLong(Duration::toNanos)
                .sum();
    }

    /** What the server has counted; empty if it cannot be asked, which the end of the run will report. */
    private Optional<Recorded> askForCounters() {
        AdminClient client = admin;
        try {
            return client == null || serverBefore == null
                    ? Optional.empty()
                    : Optional.of(client.events(Long.MAX_VALUE));
        } catch (IOException theEndOfTheRunReportsIt) {
            return Optional.empty();
        }
    }

    private static FutureTask<Recorded> inBackground(Callable<Recorded> ask) {
        FutureTask<Recorded> task = new FutureTask<>(ask);
        Thread thread = new Thread(task, "plog-events-ask");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private static Recorded result(FutureTask<Recorded> asked) throws IOException {
        try {
            return asked.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw new IOException(cause == null || cause.getMessage() == null ? e.toString() : cause.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the server was asked for its events", e);
        }
    }

    private String problem(String port, Exception e) {
        return "admin port " + host + ":" + port + ": "
                + what(e).lines().findFirst().orElse("");
    }

    /**
     * Writes what was recorded since the start; takes a second or so.
     *
     * @param runStartNanos the run's time 0
     * @throws IOException if the file cannot be written
     */
    public void writeTo(SampleFileWriter writer, long runStartNanos) throws IOException {
        AtServer server = hasServer ? askServer() : null;
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
        if (server != null) {
            writer.append(server(runStartNanos, server));
        }
    }

    /** What the server is asked for after a run, and how far its clock was ahead then; a problem if it cannot be asked. */
    private record AtServer(
            @Nullable FutureTask<Recorded> recorded,
            @Nullable ClockOffset after,
            String problem) {}

    private AtServer askServer() {
        AdminClient client = admin;
        Recorded first = serverBefore;
        if (client == null || first == null || offsetBefore == null) {
            return new AtServer(null, null, serverProblem);
        }
        try {
            ClockOffset after = client.clock();
            long since = first.counters().atNanos();
            return new AtServer(inBackground(() -> client.events(since)), after, "");
        } catch (IOException e) {
            return new AtServer(null, null, afterTheRun(e));
        }
    }

    private SideEvents server(long runStartNanos, AtServer asked) {
        ClockOffset before = offsetBefore;
        Recorded first = serverBefore;
        FutureTask<Recorded> recorded = asked.recorded;
        if (recorded == null || asked.after == null || before == null || first == null) {
            return SideEvents.none(trial, SideEvents.SERVER, Map.of("events", NOT_AVAILABLE + asked.problem));
        }
        try {
            return server(runStartNanos, before, asked.after, first, result(recorded));
        } catch (IOException e) {
            return SideEvents.none(trial, SideEvents.SERVER, Map.of("events", NOT_AVAILABLE + afterTheRun(e)));
        }
    }

    private static String afterTheRun(IOException e) {
        return "the server's admin port did not answer after the run: " + what(e);
    }

    private static String what(Exception e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
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
        Map<String, String> facts = new TreeMap<>(last.facts());
        facts.put(SideEvents.BEGAN_AT_NANOS, Long.toString(ClockOffset.toServers(runStartNanos, before, after)));
        return new SideEvents(
                trial,
                SideEvents.SERVER,
                facts,
                Math.max(before.uncertaintyNanos(), after.uncertaintyNanos()),
                totals(first.totals(), last.totals(), events).stream()
                        .filter(total -> isWanted(total.kind()))
                        .toList(),
                List.of(SideUsage.between(Objects.requireNonNull(serverCounted), last, 0)),
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
