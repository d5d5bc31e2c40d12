package io.plog.host.events;

import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks at the machine four times a second: whether the hypervisor took processors away, and how much memory is left. The
 * kernel counts in hundredths of a second, so of time that was taken only the stretch is known.
 */
final class MachineThread implements AutoCloseable {
    private static final int LOOKS_PER_SECOND = 4;
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1) / LOOKS_PER_SECOND;
    private static final long SLOT_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int SLOTS = (int) (EventStore.EPOCHS * EventStore.EPOCH_NANOS / SLOT_NANOS);

    private final EventStore store;
    private final ProcFiles proc;
    private final Thread thread;
    private volatile boolean closed;

    private final TreeMap<Long, Long> leastFree = new TreeMap<>(); // under its own lock

    MachineThread(EventStore store, ProcFiles proc) {
        this.store = store;
        this.proc = proc;
        this.thread = new Thread(this::run, "plog-machine");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        long lastNanos = System.nanoTime();
        ProcFiles.Processors last = proc.processors();
        for (long look = 0; !closed; look++) {
            if (look % LOOKS_PER_SECOND == 0) {
                noteFreeMemory();
            }
            LockSupport.parkNanos(PERIOD_NANOS);
            ProcFiles.Processors now = proc.processors();
            long nanos = System.nanoTime();
            noteSteal(last, now, lastNanos, nanos);
            last = now;
            lastNanos = nanos;
        }
    }

    private void noteSteal(ProcFiles.Processors last, ProcFiles.Processors now, long from, long to) {
        long stolen = now.stealTicks() - last.stealTicks();
        if (stolen <= 0 || last.stealTicks() < 0) {
            return;
        }
        long within = to - from;
        long nanos = stolen * ProcFiles.TICK_NANOS;
        String detail = nanos / 1_000_000 + " ms stolen within " + within / 1_000_000 + " ms";
        store.add(new Event(EventKind.STEAL.label(), from, Math.min(nanos, within), within, detail));
    }

    private void noteFreeMemory() {
        long free = proc.freeMemoryBytes();
        if (free < 0) {
            return;
        }
        synchronized (leastFree) {
            leastFree.merge(Math.floorDiv(System.nanoTime(), SLOT_NANOS), free, Math::min);
            if (leastFree.size() > SLOTS) {
                leastFree.pollFirstEntry();
            }
        }
    }

    /** The least memory that was available since then, or a little before; -1 if unknown. */
    long leastFreeMemoryBytes(long sinceNanos) {
        noteFreeMemory();
        synchronized (leastFree) {
            return leastFree.tailMap(Math.floorDiv(sinceNanos, SLOT_NANOS)).values().stream()
                    .mapToLong(Long::longValue)
                    .min()
                    .orElse(ProcFiles.UNKNOWN);
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
