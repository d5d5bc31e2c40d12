package io.plog.host.events;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records what interrupts this process and its machine: hiccups, the JVM's pauses, time taken by the hypervisor, and what
 * both use up. Whatever the system does not tell is left out and said in the facts; nothing here fails.
 *
 * <p>It needs no file. Only where a directory is given does it also read the JVM's own event stream, which tells safepoints,
 * compilations, and collections to the microsecond: the JVM keeps that in files there.
 *
 * <p>Three threads of low duty do the work. {@link #recorded} and {@link #close} may be called by any thread.
 */
public final class EventRecorder implements AutoCloseable {
    /** The JVM hands its events over once a second. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final int CLOCK_READS = 20_000;

    private final EventStore store;
    private final List<CountedDevice> devices;
    private final ProcFiles proc = new ProcFiles(Path.of("/proc"));
    private final Map<String, String> facts = Collections.synchronizedMap(new LinkedHashMap<>());
    private final long clockStepNanos = clockStepNanos();
    private volatile @Nullable JvmEvents jvm;
    private volatile @Nullable GarbageCollections collections; // if there is no stream
    private final HiccupThread hiccups;
    private final MachineThread machine;

    private EventRecorder(EventStore store, List<CountedDevice> devices, @Nullable Path directory) {
        this.store = store;
        this.devices = List.copyOf(devices);
        this.jvm = directory == null ? null : startJvmEvents(directory);
        if (jvm == null) {
            collections = GarbageCollections.start(store);
        }
        if (directory == null) {
            facts.put("jvmEvents", "collections only, in milliseconds: no directory was given for the JVM's files");
        }
        this.hiccups = new HiccupThread(store);
        this.machine = new MachineThread(store, proc, this::eachSecond);
        facts.put("events", "recorded");
        if (proc.processors().ticks() < 0) {
            facts.put("machineEvents", "not available: no /proc/stat");
        }
    }

    /**
     * Starts to record; takes some hundred milliseconds.
     *
     * @param store where events go, and where others may put theirs
     * @param devices whose traffic is counted
     */
    public static EventRecorder start(EventStore store, List<CountedDevice> devices) {
        return new EventRecorder(store, devices, null);
    }

    /**
     * The same with the JVM's own events. If their files are not safe in the directory, they are left out, and the facts say so.
     *
     * @param directory where the JVM keeps its files
     */
    public static EventRecorder start(EventStore store, List<CountedDevice> devices, Path directory) {
        return new EventRecorder(store, devices, directory);
    }

    private void eachSecond() {
        JvmEvents current = jvm;
        if (current == null) {
            return;
        }
        String why = current.reasonToEnd();
        if (why == null) {
            current.mark();
            return;
        }
        jvm = null;
        current.close();
        collections = GarbageCollections.start(store);
        facts.put("jvmEvents", "ended: " + why);
    }

    private @Nullable JvmEvents startJvmEvents(Path directory) {
        try {
            return JvmEvents.start(store, directory);
        } catch (IllegalStateException | LinkageError e) {
            facts.put(
                    "jvmEvents",
                    "not available: " + (e instanceof LinkageError ? "the JVM lacks jdk.jfr" : e.getMessage()));
            return null;
        }
    }

    /**
     * What was recorded until now; waits for the JVM's latest events, a second or so.
     *
     * @param sinceNanos by {@link System#nanoTime}; only events that ended then or later are given. Nothing is waited for
     *     if it is {@link Long#MAX_VALUE}, which asks for no events
     */
    public Recorded recorded(long sinceNanos) {
        Counters counters = counters(sinceNanos);
        JvmEvents current = jvm;
        if (current != null && sinceNanos != Long.MAX_VALUE) {
            current.awaitArrived(PATIENCE);
        }
        Map<String, String> told;
        synchronized (facts) {
            told = new LinkedHashMap<>(facts);
        }
        told.put("hiccupPeriodMicros", Long.toString(hiccups.periodNanos() / 1000));
        return new Recorded(told, counters, store.totals(), store.since(sinceNanos));
    }

    private Counters counters(long sinceNanos) {
        ProcFiles.Processors processors = proc.processors();
        return new Counters(
                System.nanoTime(),
                Runtime.getRuntime().availableProcessors(),
                ProcFiles.ownCpuNanos(),
                processors.ticks(),
                processors.busyTicks(),
                processors.stealTicks(),
                proc.ownWrittenBytes(),
                machine.leastFreeMemoryBytes(sinceNanos),
                proc.memoryBytes(),
                clockStepNanos,
                hiccups.lateness().counts(),
                proc.disks(devices));
    }

    private static long clockStepNanos() {
        long least = Long.MAX_VALUE;
        long before = System.nanoTime();
        for (int i = 0; i < CLOCK_READS; i++) {
            long now = System.nanoTime();
            if (now > before) {
                least = Math.min(least, now - before);
            }
            before = now;
        }
        return least;
    }

    /** Stops recording. */
    @Override
    public void close() {
        hiccups.close();
        machine.close();
        JvmEvents stream = jvm;
        if (stream != null) {
            stream.close();
        }
        GarbageCollections notified = collections;
        if (notified != null) {
            notified.close();
        }
    }
}
