package io.plog.app.lab;

import io.plog.log.LogOptions;
import io.plog.log.LogReader;
import io.plog.log.MessageLog;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogRefusedException;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Random lives of a log on a simulated disk, against its promise: what it acknowledged is there after each of them, in its place,
 * once, and nothing else. The seed decides the history; which appends share a force is the machine's. For one thread.
 */
public final class LogCampaign implements BiFunction<Long, Set<String>, Optional<String>> {
    /** The faults that may be asked for. */
    static final List<String> FAULTS = List.of("cut", "kill", "force", "write", "short", "space");

    private static final int MOST_BYTES = 3000;

    private SplittableRandom random = new SplittableRandom(0);
    private SimulatedDisk disk = new SimulatedDisk(512);
    private final List<Integer> lengths = new ArrayList<>(); // of the payloads that were appended, by their number
    private final Set<Integer> refused = new HashSet<>();
    private final TreeMap<Long, Integer> acknowledged = new TreeMap<>(); // numbers by index
    private long dropped; // up to here records may be gone
    private long saved; // index of the last checkpoint that was acknowledged

    /** For the loader of a bug. */
    public LogCampaign() {}

    /** A promise that did not hold. */
    private static final class Broken extends Exception {
        private static final long serialVersionUID = 1;

        Broken(String what) {
            super(what);
        }
    }

    /**
     * One history.
     *
     * @param faults of {@link #FAULTS}
     * @return what promise was broken, a word, a colon and a sentence; empty if none was
     */
    @Override
    public Optional<String> apply(Long seed, Set<String> faults) {
        random = new SplittableRandom(seed);
        disk = new SimulatedDisk(512, random.nextLong());
        lengths.clear();
        refused.clear();
        acknowledged.clear();
        dropped = 0;
        saved = 0;
        try {
            int lives = 2 + random.nextInt(4);
            for (int life = 0; life < lives; life++) {
                arm(faults);
                live(faults);
            }
            live(Set.of());
            return Optional.empty();
        } catch (Broken e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private void arm(Set<String> faults) {
        if (faults.contains("cut") && random.nextInt(3) > 0) {
            disk.faults().crashAtOperation(1 + random.nextInt(60));
        }
        if (faults.contains("force") && random.nextBoolean()) {
            disk.faults().failForce(1 + random.nextInt(12));
        }
        if (faults.contains("write") && random.nextBoolean()) {
            disk.faults().failWrite(1 + random.nextInt(12));
        }
        if (faults.contains("short") && random.nextBoolean()) {
            disk.faults().writeAtMost(1 + random.nextInt(4000));
        }
        if (faults.contains("space") && random.nextBoolean()) {
            disk.faults().leaveSpace(random.nextInt(300_000));
        }
    }

    private void live(Set<String> faults) throws Broken {
        MessageLog log = null;
        try {
            log = MessageLog.open(LogOptions.on(disk)
                    .withSegmentBytes(64 * 1024)
                    .withMaxRecordBytes(4096)
                    .withReserveSegments(1)
                    .withSpin(Duration.ZERO));
            verify(log);
            for (int steps = random.nextInt(20); steps > 0; steps--) {
                step(log);
            }
            if (random.nextBoolean()) {
                log.close();
            }
        } catch (LogDamagedException e) {
            throw new Broken("refused: nothing was damaged, and the log says: " + e.getMessage());
        } catch (IOException | RuntimeException e) {
            boolean excused = disk.hasCrashed()
                    || disk.faults().failedForces()
                                    + disk.faults().failedWrites()
                                    + disk.faults().refusedForSpace()
                            > 0;
            if (!excused) {
                throw new Broken("refused: the disk did nothing wrong, and the log says: " + e.getMessage());
            }
        }
        end(log, faults);
    }

    /** The process ends, or the power goes, or neither: then it closes its log. */
    private void end(@Nullable MessageLog log, Set<String> faults) {
        boolean cut = disk.hasCrashed() || (faults.contains("cut") && random.nextBoolean());
        SimulatedDisk next = null;
        if (cut) {
            disk.crash();
        } else if (faults.contains("kill") && random.nextBoolean()) {
            next = disk.afterKill();
        }
        if (log != null) {
            try {
                log.close();
            } catch (IOException | RuntimeException e) {
                // Its disk is gone, or it had failed.
            }
        }
        if (cut) {
            next = disk.afterCrash(random);
        }
        disk = next == null ? disk.copy() : next;
    }

    private void step(MessageLog log) throws Broken, IOException {
        if (random.nextInt(6) == 0) {
            long index = log.durableIndex();
            if (index > 0) {
                log.saveCheckpoint(index, ByteBuffer.wrap(("state " + index).getBytes(StandardCharsets.UTF_8)));
                saved = index;
                if (random.nextBoolean()) {
                    dropped = index;
                    var unused = log.truncateBefore(index + 1);
                }
            }
            return;
        }
        List<Integer> numbers = new ArrayList<>();
        List<CompletableFuture<Long>> outcomes = new ArrayList<>();
        List<Long> told = new CopyOnWriteArrayList<>(); // in the order in which they were
        for (int count = 1 + random.nextInt(6); count > 0; count--) {
            numbers.add(lengths.size());
            ByteBuffer payload = payload(lengths.size(), Integer.BYTES + random.nextInt(MOST_BYTES));
            lengths.add(payload.remaining());
            outcomes.add(log.append(payload).thenApply(index -> {
                told.add(index);
                return index;
            }));
        }
        IOException failure = null;
        for (int i = 0; i < numbers.size(); i++) {
            try {
                long index = outcomes.get(i).get(10, TimeUnit.SECONDS);
                Integer other = acknowledged.put(index, numbers.get(i));
                if (other != null) {
                    throw new Broken("repeated: append " + other + " and append " + numbers.get(i)
                            + " both became record " + index);
                }
            } catch (ExecutionException e) {
                if (e.getCause() instanceof LogRefusedException) {
                    refused.add(numbers.get(i));
                } else {
                    failure = new IOException(e.getCause());
                }
            } catch (TimeoutException | InterruptedException e) {
                throw new Broken("stuck: append " + numbers.get(i) + " has no outcome");
            }
        }
        if (failure != null) {
            throw failure;
        }
        if (!told.equals(told.stream().sorted().toList())) {
            throw new Broken("reordered: appends were answered as records " + told);
        }
    }

    private void verify(MessageLog log) throws Broken, IOException {
        if (log.firstIndex() > dropped + 1) {
            throw new Broken("lost: the log begins with record " + log.firstIndex() + ", and those up to " + dropped
                    + " were dropped");
        }
        if (log.checkpointIndex() < saved) {
            throw new Broken("lost: the checkpoint of record " + saved + " was saved; the log has that of "
                    + log.checkpointIndex());
        }
        TreeMap<Long, Integer> found = new TreeMap<>();
        int before = -1;
        try (LogReader reader = log.read(log.firstIndex())) {
            while (reader.next()) {
                int number = number(reader.payload());
                if (number < 0 || refused.contains(number)) {
                    throw new Broken("invented: record " + reader.index() + " is there, and was "
                            + (number < 0 ? "never appended" : "refused"));
                }
                if (number <= before) {
                    throw new Broken("reordered: append " + number + " is record " + reader.index() + ", behind append "
                            + before);
                }
                before = number;
                found.put(reader.index(), number);
            }
        }
        for (Map.Entry<Long, Integer> each :
                acknowledged.tailMap(log.firstIndex()).entrySet()) {
            Integer there = found.get(each.getKey());
            if (!each.getValue().equals(there)) {
                throw new Broken("lost: append " + each.getValue() + " was acknowledged as record " + each.getKey()
                        + ", and there is " + (there == null ? "none" : "append " + there));
            }
        }
        acknowledged.putAll(found); // what a start has shown has to stay
    }

    private static ByteBuffer payload(int number, int bytes) {
        ByteBuffer payload = ByteBuffer.allocate(bytes).putInt(number);
        while (payload.hasRemaining()) {
            payload.put((byte) (number + payload.position()));
        }
        return payload.flip();
    }

    /** Which append this is, or -1. */
    private int number(ByteBuffer payload) {
        int number = payload.remaining() < Integer.BYTES ? -1 : payload.getInt(payload.position());
        boolean known = number >= 0 && number < lengths.size() && payload.equals(payload(number, lengths.get(number)));
        return known ? number : -1;
    }
}
