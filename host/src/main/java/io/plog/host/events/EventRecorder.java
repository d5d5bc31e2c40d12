package io.plog.host.events;

import io.plog.host.ClientFacts;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Records what interrupts this process and its machine: hiccups, the JVM's pauses, time taken by the hypervisor, and what
 * both use up. Whatever the system does not tell is left out and said in the facts; nothing here fails.
 * It needs no file.
 *
 * <p>Two threads of low duty do the work. {@link #recorded} and {@link #close} may be called by any thread.
 */
public final class EventRecorder implements AutoCloseable {
    public static final String PID = "pid";

    private static final int CLOCK_READS = 20_000;

    private final EventStore store;
    private final List<String> devices;
    private final ProcFiles proc = new ProcFiles(Path.of("/proc"));
    private final CompilerThreads compilers = CompilerThreads.ofThisProcess();
    private final Map<String, String> facts = Collections.synchronizedMap(new LinkedHashMap<>());
    private final long clockStepNanos = ClientFacts.clockStepNanos(CLOCK_READS);
    private final GarbageCollections collections;
    private final HiccupThread hiccups;
    private final MachineThread machine;

    private EventRecorder(EventStore store, List<String> devices) {
        this.store = store;
        this.devices = List.copyOf(devices);
        this.collections = GarbageCollections.start(store);
        this.hiccups = new HiccupThread(store);
        this.machine = new MachineThread(store, proc);
        facts.put("events", "recorded");
        facts.put(PID, Long.toString(ProcessHandle.current().pid()));
        if (proc.processors().ticks() < 0) {
            facts.put("machineEvents", "not available: no /proc/stat");
        }
    }

    /**
     * Starts to record; takes some hundred milliseconds.
     *
     * @param store where events go, and where others may put theirs
     * @param devices whose traffic is counted, as {@code /proc/self/mountinfo} names them, such as {@code 8:1}
     */
    public static EventRecorder start(EventStore store, List<String> devices) {
        return new EventRecorder(store, devices);
    }

    /**
     * What was recorded until now.
     *
     * @param sinceNanos by {@link System#nanoTime}; only events that ended then or later are given; {@link Long#MAX_VALUE}
     *     asks for none
     */
    public Recorded recorded(long sinceNanos) {
        Counters counters = counters(sinceNanos);
        Map<String, String> allFacts;
        synchronized (facts) {
            allFacts = new LinkedHashMap<>(facts);
        }
        allFacts.put("hiccupPeriodMicros", Long.toString(hiccups.periodNanos() / 1000));
        return new Recorded(allFacts, counters, store.totals(), store.since(sinceNanos));
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
                compilerNanos(),
                hiccups.lateness().counts(),
                proc.disks(devices));
    }

    /** How long this process's just-in-time compilers have worked; -1 if neither system nor JVM tells. */
    public long compilerNanos() {
        return compilers.nanos();
    }

    /** Whether hiccups are noted from now on; at first they are. */
    public void noteHiccups(boolean from) {
        hiccups.note(from);
    }

    @Override
    public void close() {
        hiccups.close();
        machine.close();
        collections.close();
    }
}
