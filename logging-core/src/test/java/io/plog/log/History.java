package io.plog.log;

import io.plog.log.ModelledLog.Opening;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogRefusedException;
import io.plog.simdisk.Faults;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One random history of a log over several lives, each ended by a fault or in order; all of it from one seed. */
final class History {
    private static final Force[] STABLE = {Force.FDATASYNC, Force.FSYNC, Force.DSYNC, Force.DIRECT};
    private static final int MOST_LIVES = 6;

    private final SplittableRandom random;
    private final ModelledLog log;
    private final CampaignCounts counts;
    private final boolean alsoWritten;
    private final boolean grows;
    private final boolean cuts; // not all do all: what one act hides, such as a longer head, another history shows
    private final boolean hasCells;
    private boolean growsNow;
    private @Nullable ModelledLog neighbour; // on the same threads

    /** @param alsoWritten whether some lives use {@code force=write}, which promises nothing for a power cut */
    History(long seed, CampaignCounts counts, boolean alsoWritten) {
        this.alsoWritten = alsoWritten;
        this.random = new SplittableRandom(seed);
        this.counts = counts;
        SimulatedDisk disk = new SimulatedDisk(random.nextBoolean() ? 512 : 4096, random.nextLong());
        if (random.nextInt(8) == 0) {
            disk.inNewDirectory();
        }
        grows = random.nextInt(4) == 0;
        cuts = random.nextBoolean();
        hasCells = random.nextBoolean();
        log = new ModelledLog(disk, random.nextLong());
        if (random.nextInt(4) == 0) {
            log.beginningAt(2 + random.nextInt(1000));
            counts.elsewhere.increment();
        }
    }

    SimulatedDisk disk() {
        return log.disk();
    }

    /** Runs it all; throws if the log breaks its promise. */
    void run() throws IOException {
        counts.histories.increment();
        counts.growing.add(grows ? 1 : 0);
        if (random.nextInt(4) > 0) {
            runLives();
            return;
        }
        counts.sharing.increment();
        try (LogRuntime threads = LogRuntime.ofThreads(3)) {
            ModelledLog other = new ModelledLog(new SimulatedDisk(512, random.nextLong()), random.nextLong());
            other.on(threads).open(Opening.of(Force.FDATASYNC));
            neighbour = other;
            log.on(threads);
            runLives();
            log.endProcess();
            other.append(10, 100); // whatever became of the log
            other.endProcess();
            other.checkPowerLosses(1, Force.FDATASYNC);
        }
    }

    private void runLives() throws IOException {
        int lives = 1 + random.nextInt(MOST_LIVES);
        for (int i = 0; i < lives; i++) {
            if (random.nextInt(8) > 0) {
                arm(log.disk().faults(), i == 0 ? 60 : 20);
            }
            if (!live(random.nextInt(6))) {
                return; // refused as damaged, as it may be after force=write and a power cut
            }
        }
        log.disk().faults().disarm();
        if (!live(2)) {
            return;
        }
        if (random.nextInt(8) == 0) {
            cutFile();
            return;
        }
        // And what the last life left is there for good.
        log.losePower(random);
        counts.crashes.increment();
        live(0);
    }

    /** A life that ends since a stranger cuts a file. The next opening shows everything, or reports damage. */
    private void cutFile() throws IOException {
        try {
            open(false);
            round(false);
            log.cutSegment(random);
            counts.cutFiles.increment();
            open(false);
            log.endProcess();
        } catch (LogDamagedException expected) {
            log.endProcess();
        }
    }

    /** Runs some lives, and leaves the log at rest: closed in order, or as a crash, a kill or a failure left it. */
    SimulatedDisk runAndRest(int lives) throws IOException {
        for (int i = 0; i < lives; i++) {
            if (random.nextInt(3) == 0) {
                arm(log.disk().faults(), 60);
            }
            live(1 + random.nextInt(6));
        }
        log.disk().faults().disarm();
        return log.disk();
    }

    private void arm(Faults faults, int soon) {
        switch (random.nextInt(12)) {
            case 0 -> faults.failForce(1 + random.nextInt(6));
            case 1 -> faults.failForcePartly(1 + random.nextInt(6));
            case 2 -> faults.failWrite(1 + random.nextInt(6));
            case 3 -> faults.failOperation(1 + random.nextInt(soon));
            case 4 -> faults.leaveSpace(random.nextInt(random.nextBoolean() ? 100 : 200_000));
            case 5 -> faults.leaveSpaceForWrites(random.nextInt(200_000));
            default -> faults.crashAtOperation(1 + random.nextInt(soon));
        }
        if (random.nextInt(8) == 0) {
            faults.writeAtMost(random.nextBoolean() ? 5000 : 1 + random.nextInt(100_000));
        }
    }

    /**
     * One life of the log, until a fault ends it or it is closed, and the restart after it.
     *
     * @return false if the history ends here
     */
    private boolean live(int rounds) throws IOException {
        SimulatedDisk disk = log.disk();
        long failures = ModelledLog.failures(disk);
        boolean opened = false;
        try {
            open(alsoWritten && random.nextInt(12) == 0);
            opened = true;
            int kind = rounds > 1 ? random.nextInt(12) : 11;
            if (kind < 2) {
                turnOver(10 * rounds);
            } else if (kind == 2) {
                growAndSave(10 * rounds);
            } else {
                for (int i = 0; i < rounds; i++) {
                    round(random.nextInt(10) == 0);
                }
            }
            if (random.nextInt(3) > 0) {
                log.close();
                return true; // the same machine goes on
            }
        } catch (LogDamagedException damaged) {
            if (opened || !log.model.mayBeDamaged()) {
                throw damaged;
            }
            counts.damaged.increment();
            return false;
        } catch (IOException expectedAfterFault) {
            if (ModelledLog.failures(disk) == failures) {
                throw expectedAfterFault;
            }
            if (!opened && disk.hasCrashed()) {
                counts.crashesInRecovery.increment();
            }
        }
        countFaults(disk.faults());
        restart();
        return true;
    }

    private void open(boolean written) throws IOException {
        growsNow = grows && random.nextInt(4) > 0; // options may change
        Force force = written ? Force.WRITE : STABLE[random.nextInt(STABLE.length)];
        log.open(new Opening(
                force,
                force.isStable() && random.nextInt(6) == 0,
                random.nextBoolean(),
                random.nextInt(3) > 0,
                growsNow));
        counts.recoveries.increment();
        if (log.leftUnread()) {
            counts.unread.increment();
        }
    }

    /** The beginning of the log is dropped as fast as its end grows. */
    private void turnOver(int rounds) throws IOException {
        long before = SegmentHeaders.usedAgain(log.disk());
        try {
            for (int i = 0; i < rounds; i++) {
                round(random.nextInt(3) == 0);
            }
        } finally {
            counts.usedAgain.add(Math.max(0, SegmentHeaders.usedAgain(log.disk()) - before));
        }
    }

    /** The log grows by some segments, and then a checkpoint covers most of them. */
    private void growAndSave(int rounds) throws IOException {
        for (int i = 0; i < rounds; i++) {
            round(false);
        }
        long durable = log.log().durableIndex();
        long least = Math.max(0, log.model.checkpoint());
        saveCheckpoint(Math.max(least, durable - random.nextInt(8)), random.nextInt(100));
    }

    private void round(boolean drops) throws IOException {
        if (neighbour != null && random.nextBoolean()) {
            neighbour.append(sizes());
        }
        try {
            if (drops) {
                dropPrefix();
            } else if (cuts && random.nextInt(12) == 0) {
                cut();
            } else if (hasCells && random.nextInt(8) == 0) {
                log.putCell("cell " + random.nextInt(3), random.nextInt(random.nextBoolean() ? 10 : 4000));
                counts.cells.increment();
            } else {
                appendSome();
            }
        } catch (LogRefusedException.NoSpace full) {
            // A refusal: nothing was written, and the log goes on.
            counts.refusals.increment();
            if (random.nextBoolean()) {
                log.giveSpaceBack();
                counts.resumed.increment();
            }
        }
    }

    private void appendSome() throws IOException {
        if (growsNow && random.nextInt(8) == 0) {
            log.append(random.nextInt(Logs.SEGMENT_BYTES));
            return;
        }
        int[] sizes = sizes();
        if (random.nextInt(3) > 0) {
            log.append(sizes);
            return;
        }
        List<int[]> lists = new ArrayList<>();
        for (int from = 1; from < sizes.length; ) {
            int to = from + 1 + random.nextInt(sizes.length - from);
            lists.add(Arrays.copyOfRange(sizes, from, to));
            from = to;
        }
        log.appendLists(random.nextBoolean(), sizes[0], lists.toArray(new int[0][]));
        counts.lists.add(lists.size());
    }

    private void dropPrefix() throws IOException {
        long refused = log.disk().faults().refusedForSpace();
        long durable = log.log().durableIndex();
        long least = Math.max(0, log.model.checkpoint());
        long index = least + random.nextLong(Math.max(1, durable - least + 1));
        if (random.nextInt(3) > 0) {
            saveCheckpoint(index, random.nextInt(4) == 0 ? random.nextInt(9000) : random.nextInt(100));
        }
        if (random.nextInt(3) > 0 && index + 1 >= log.log().firstIndex()) {
            log.truncateBefore(index + 1);
        }
        counts.fullDrops.add(log.disk().faults().refusedForSpace() > refused ? 1 : 0);
    }

    private void cut() throws IOException {
        MessageLog open = log.log();
        long least = Math.max(open.firstIndex() - 1, open.checkpointIndex());
        if (random.nextInt(4) == 0) {
            long next = 1 + random.nextLong(open.durableIndex() + 10);
            int most = random.nextBoolean() ? 100 : 9000;
            log.reset(next, random.ints(random.nextInt(2), 0, most).toArray());
            counts.resets.increment();
        } else {
            log.truncateAfter(least + random.nextLong(open.durableIndex() - least + 1));
            counts.cuts.increment();
        }
    }

    private void saveCheckpoint(long index, int bytes) throws IOException {
        if (random.nextInt(4) > 0) {
            log.saveCheckpoint(index, bytes);
        } else if (log.saveCheckpointThatChanges(index, 1 + bytes, 1 + random.nextInt(6))) {
            counts.changedStates.increment();
        }
    }

    /** The sizes of a group of appends, mostly small. */
    private int[] sizes() {
        boolean many = random.nextBoolean();
        int[] sizes = new int[1 + random.nextInt(many ? 7 : 4)];
        int left = many ? ModelledLog.MOST_GROUP_BYTES / 4 : ModelledLog.MOST_GROUP_BYTES;
        for (int i = 0; i < sizes.length; i++) {
            int most = random.nextInt(3) == 0 ? 16_000 : 200;
            sizes[i] = random.nextInt(Math.max(1, Math.min(most, left)));
            left -= sizes[i];
        }
        return sizes;
    }

    private void countFaults(Faults faults) {
        counts.failedForces.add(faults.failedForces());
        counts.failedWrites.add(faults.failedWrites());
        counts.failedOperations.add(faults.failedOperations());
        if (faults.refusedForSpace() > 0) {
            counts.fullDisks.increment();
        }
    }

    /** Only the process starts again, or the whole machine. */
    private void restart() {
        if (random.nextInt(3) == 0) {
            log.kill();
            counts.kills.increment();
        } else {
            log.losePower(random);
            counts.crashes.increment();
        }
    }
}
