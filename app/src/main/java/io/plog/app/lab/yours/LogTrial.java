package io.plog.app.lab.yours;

import io.plog.log.storage.LogRefusedException;
import io.plog.log.storage.Storage;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One history of a log on a simulated disk, held against its promise: what it acknowledged is there in each later life, in its place, once,
 * and nothing else. For one thread.
 */
final class LogTrial {
    /** Threads that call logs. One that never returns is left behind. */
    static final ExecutorService CALLERS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "plog-lab-caller");
        thread.setDaemon(true);
        return thread;
    });

    private static final int MOST_OPERATIONS = 100_000; // of a life; a log that does more never ends
    private static final int MOST_WAITS = 1000;
    private static final long ARRIVAL_NANOS = 50_000;
    private static final long SPACE_BYTES = 1 << 20;
    private static final int SPACE_FACTOR = 16;

    /** A promise that did not hold: a word, a colon and a sentence. */
    static final class Broken extends Exception {
        private static final long serialVersionUID = 1;

        Broken(String what) {
            super(what);
        }
    }

    private final Function<Storage, YourLog> logs;
    private final Set<String> may;
    private volatile SimulatedDisk disk = new SimulatedDisk(512).keepTrace();
    private @Nullable YourLog log; // from the first step of a life on that is no fault
    private boolean recovered; // in this life
    private boolean failed; // a force of this life, and with it an append
    private boolean faulted;
    private final AtomicInteger coming = new AtomicInteger(); // callers that have not called yet
    private Throwable thrown = new IOException("nothing"); // by the last call that failed
    private final List<byte[]> records = new ArrayList<>(); // what was appended, by its number
    private final List<Integer> rounds = new ArrayList<>(); // appends of one are in no order
    private final Set<Integer> refused = new HashSet<>();
    private final TreeMap<Long, Integer> acknowledged = new TreeMap<>(); // numbers by index
    private final Map<Long, Long> checkpoints = new HashMap<>(); // how many bytes were appended before each
    private long saved; // the last checkpoint that was acknowledged
    private long appendedBytes;

    /**
     * Prepares it.
     *
     * @param logs makes a log as each of its lives begins
     * @param may with {@code names}, names are stable without a force of the directory
     */
    LogTrial(Function<Storage, YourLog> logs, Set<String> may) {
        this.logs = logs;
        this.may = may;
        records.add(new byte[0]); // they are numbered from 1
        rounds.add(0);
    }

    /** What happened: a row for each call of the log and each operation that changes its disk. For any thread. */
    List<String> picture() {
        return disk.trace();
    }

    /** Whether the power went in the middle of an operation, or one failed. */
    boolean isFaulted() {
        return faulted;
    }

    /** Does all steps, and lets the log recover once more. */
    void run(List<Step> steps) throws Broken {
        var unused = left(steps);
        end(Step.of(Step.Kind.CLOSE, 1)); // a life that only recovers
    }

    /** Does all steps; returns the disk as they leave it. */
    SimulatedDisk left(List<Step> steps) throws Broken {
        for (Step step : steps) {
            switch (step.kind()) {
                case APPEND -> append(step);
                case CHECKPOINT -> checkpoint();
                case CLOSE, KILL, CUT -> end(step);
                case CRASH -> disk.faults().crashAtOperation(step.number());
                case FORCE -> disk.faults().failForce(step.number());
                case WRITE -> disk.faults().failWrite(step.number());
                case SHORT -> disk.faults().writeAtMost(15 + step.number()); // less only takes longer
                case SPACE -> disk.faults().leaveSpace(step.number());
            }
        }
        if (log != null) {
            end(Step.of(Step.Kind.CLOSE, 1));
        }
        return disk;
    }

    /** Calls the log; null if it threw and the disk was to blame. */
    private <T> @Nullable T call(String what, Callable<T> call) throws Broken {
        try {
            return call.call();
        } catch (Throwable e) { // whatever a student's log throws
            thrown = e instanceof ExecutionException ? Objects.requireNonNull(e.getCause()) : e;
            String throwing =
                    what + " throws " + thrown.toString().lines().findFirst().orElse("");
            disk.note("  " + throwing);
            boolean blamed = disk.hasCrashed() || failures() + disk.faults().refusedForSpace() > 0;
            if (!(thrown instanceof IOException)) {
                throw new Broken("threw: " + throwing);
            } else if (!blamed) {
                throw new Broken("refused: the disk did nothing wrong, and " + throwing);
            }
            return null;
        }
    }

    private long failures() {
        return disk.faults().failedForces() + disk.faults().failedWrites();
    }

    /** The log of this life, which begins now if it has not; null if it could not recover. */
    private @Nullable YourLog alive() throws Broken {
        if (log == null) {
            disk.faults().runBeforeForces(this::letOthersCome);
            disk.faults().runAtOperation(MOST_OPERATIONS, () -> {
                throw new IllegalStateException("after " + MOST_OPERATIONS + " operations in one life");
            });
            YourLog made = Objects.requireNonNull(call("the constructor", () -> logs.apply(seen(disk))));
            log = made;
            YourLog.Recovered found = call("recover", made::recover);
            recovered = found != null;
            if (found != null) {
                verify(made, found);
            }
        }
        return recovered ? log : null;
    }

    /** A force takes long enough for all callers of a round to come. */
    private void letOthersCome() {
        for (int i = 0; i < MOST_WAITS && coming.get() > 0; i++) {
            LockSupport.parkNanos(ARRIVAL_NANOS);
        }
    }

    /** The disk without what only its judge may do. */
    private static Storage seen(SimulatedDisk disk) {
        Class<?>[] type = {Storage.class};
        return (Storage) Proxy.newProxyInstance(Storage.class.getClassLoader(), type, (proxy, method, arguments) -> {
            try {
                return method.invoke(disk, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    private void append(Step step) throws Broken {
        YourLog alive = alive();
        if (alive == null) {
            return;
        }
        boolean mayNot = failed;
        coming.set(step.number());
        int first = records.size();
        List<FutureTask<Long>> calls = new ArrayList<>();
        for (int number = first; number < first + step.number(); number++) {
            byte[] record = payload(number, step.bytes());
            records.add(record);
            rounds.add(first);
            appendedBytes += record.length;
            disk.note("append " + number + ", " + record.length + " bytes");
            calls.add(new FutureTask<>(() -> {
                coming.decrementAndGet();
                return alive.append(record.clone());
            }));
        }
        if (calls.size() == 1) {
            calls.get(0).run(); // so that the history repeats exactly
        } else {
            calls.forEach(CALLERS::execute);
        }
        for (int number = first; number < records.size(); number++) {
            Long index = call("append " + number, calls.get(number - first)::get);
            if (index != null && mayNot) {
                throw new Broken("not stopped: append " + number + " is acknowledged after a force failed");
            } else if (index != null) {
                acknowledge(alive, number, index);
            } else if (thrown instanceof LogRefusedException) {
                refused.add(number);
            } else {
                failed |= disk.faults().failedForces() > 0;
            }
        }
    }

    private void acknowledge(YourLog alive, int number, long index) throws Broken {
        disk.note("  append " + number + " is acknowledged as record " + index);
        Integer other = acknowledged.put(index, number);
        if (other != null) {
            throw new Broken("repeated: append " + other + " and append " + number + " both became record " + index);
        }
        byte[] read = call("read " + index, () -> alive.read(index));
        if (read != null && !Arrays.equals(read, records.get(number))) {
            throw new Broken("wrong: append " + number + " became record " + index + ", which reads otherwise");
        }
    }

    private void checkpoint() throws Broken {
        YourLog alive = alive();
        long index = acknowledged.isEmpty() ? 0 : acknowledged.lastKey();
        if (alive != null && index > saved) {
            checkpoints.put(index, appendedBytes);
            disk.note("checkpoint " + index);
            Long done = call("checkpoint " + index, () -> {
                alive.checkpoint(index, state(index));
                return index;
            });
            saved = done == null ? saved : done;
        }
    }

    private void verify(YourLog alive, YourLog.Recovered found) throws Broken {
        disk.note("recover has to find records up to " + (acknowledged.isEmpty() ? 0 : acknowledged.lastKey())
                + ", checkpoint " + saved + " or a later one; it finds " + found.last() + " and " + found.checkpoint());
        if (found.checkpoint() < saved) {
            throw new Broken("lost: checkpoint " + saved + " was saved, and recover finds " + found.checkpoint());
        }
        saved = found.checkpoint();
        if (saved > 0 && !(checkpoints.containsKey(saved) && Arrays.equals(found.state(), state(saved)))) {
            throw new Broken("invented: the state of checkpoint " + saved + " that recover finds was never saved");
        }
        if (found.last() < saved || found.last() - saved > records.size()) {
            throw new Broken("invented: recover finds records " + (saved + 1) + " to " + found.last() + ", and "
                    + (records.size() - 1) + " were appended on this disk: does the log keep anything elsewhere?");
        }
        TreeMap<Long, Integer> there = new TreeMap<>();
        for (long index = saved + 1; index <= found.last(); index++) {
            long wanted = index;
            byte[] read = call("read " + index, () -> alive.read(wanted));
            if (read == null) {
                return; // the power has gone meanwhile
            }
            place(index, read, there);
        }
        for (Map.Entry<Long, Integer> each : acknowledged.tailMap(saved, false).entrySet()) {
            Integer instead = there.get(each.getKey());
            if (!each.getValue().equals(instead)) {
                throw new Broken("lost: append " + each.getValue() + " was acknowledged as record " + each.getKey()
                        + ", where there is " + (instead == null ? "none" : "append " + instead));
            }
        }
        acknowledged.putAll(there); // what a start has shown has to stay
    }

    private void place(long index, byte[] read, NavigableMap<Long, Integer> there) throws Broken {
        int number = read.length < Integer.BYTES ? -1 : ByteBuffer.wrap(read).getInt();
        boolean known = number > 0 && number < records.size() && Arrays.equals(records.get(number), read);
        if (!known || refused.contains(number)) {
            throw new Broken("invented: record " + index + " was " + (known ? "refused" : "never appended"));
        }
        Map.Entry<Long, Integer> before = there.lastEntry();
        if (there.containsValue(number) || (before != null && rounds.get(before.getValue()) > rounds.get(number))) {
            throw new Broken("reordered: append " + number + " is record " + index + ", behind " + there.values());
        }
        there.put(index, number);
    }

    /** The process ends in order or not, or the power goes. */
    private void end(Step step) throws Broken {
        alive();
        faulted |= disk.hasCrashed() || failures() > 0;
        boolean kills = step.kind() == Step.Kind.KILL;
        boolean cuts = step.kind() == Step.Kind.CUT || (disk.hasCrashed() && !kills);
        disk.note(cuts ? "-- the power goes" : kills ? "-- the process is killed" : "-- the process ends");
        if (!cuts && !kills) {
            close();
        }
        if (may.contains("names")) {
            disk.settleNames();
        }
        SimulatedDisk next = cuts ? disk.afterCrash(step.chance()) : disk.afterKill();
        close(); // its threads
        long held = 0;
        for (String name : next.files()) {
            held += look(name, next);
        }
        disk = next;
        failed = false;
        long since = appendedBytes - checkpoints.getOrDefault(saved, 0L);
        if (saved > 0 && held > SPACE_BYTES + SPACE_FACTOR * since) {
            throw new Broken("space: checkpoint " + saved + " was saved, " + since
                    + " bytes were appended since, and the disk holds " + held);
        }
    }

    private void close() {
        if (log instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                // Its disk is gone, or it had failed.
            }
        }
        log = null;
    }

    /** Notes what the next disk holds of a file, and returns its length. */
    private int look(String name, SimulatedDisk next) {
        try {
            byte[] held = next.bytes(name);
            byte[] written = disk.files().contains(name) ? disk.bytes(name) : new byte[0];
            int same = Arrays.mismatch(held, written);
            next.note("  the disk holds " + name + ", " + held.length + " bytes"
                    + (same < 0 ? "" : ": the first " + same + " of the " + written.length + " that were written"));
            return held.length;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] state(long index) {
        return payload((int) -index, (int) (8 + index * 37 % 2000));
    }

    private static byte[] payload(int number, int bytes) {
        ByteBuffer payload = ByteBuffer.allocate(bytes).putInt(number);
        while (payload.hasRemaining()) {
            payload.put((byte) (number + payload.position()));
        }
        return payload.array();
    }
}
