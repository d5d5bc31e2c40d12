package io.plog.log;

import io.plog.log.storage.Force;
import io.plog.log.storage.LogDamagedException;
import io.plog.simdisk.Faults;
import java.io.IOException;
import java.util.SplittableRandom;

/** One random history of a striped log over several lives, each ended by a fault or in order; all of it from one seed. */
final class StripeHistory {
    private static final Force[] STABLE = {Force.FDATASYNC, Force.FSYNC, Force.DSYNC, Force.DIRECT};
    private static final int MOST_LIVES = 6;

    private final SplittableRandom random;
    private final CampaignCounts counts;
    private StripedLog log;

    /** @param traced whether to note what is done to the disks */
    StripeHistory(long seed, CampaignCounts counts, boolean traced) {
        this.random = new SplittableRandom(seed);
        this.counts = counts;
        int count = 2 + random.nextInt(3);
        DiskArray disks = DiskArray.of(count, random.nextBoolean() ? 512 : 4096, random.nextLong());
        log = new StripedLog(traced ? disks.keepTrace() : disks, random.nextLong());
    }

    DiskArray disks() {
        return log.disks();
    }

    /** Runs it all; throws if the log breaks its promise. */
    void run() throws IOException {
        counts.histories.increment();
        int lives = 1 + random.nextInt(MOST_LIVES);
        for (int i = 0; i < lives; i++) {
            if (random.nextInt(8) > 0) {
                arm(i == 0 ? 80 : 30);
            }
            if (!live(random.nextInt(40))) {
                return; // refused as damaged, as it may be after force=write and a power cut
            }
        }
        log.disks().disks().forEach(disk -> disk.faults().disarm());
        if (!live(4)) {
            return;
        }
        // And what the last life left is there for good.
        log = log.afterPowerLoss(random.nextLong());
        counts.crashes.increment();
        live(0);
    }

    /** Runs some lives, and leaves the disks at rest: closed in order, or as a crash, a kill or a failure left them. */
    DiskArray runAndRest(int lives) throws IOException {
        for (int i = 0; i < lives; i++) {
            if (random.nextInt(3) == 0) {
                arm(60);
            }
            if (!live(1 + random.nextInt(30))) {
                break;
            }
        }
        log.disks().disks().forEach(disk -> disk.faults().disarm());
        return log.disks();
    }

    private void arm(int soon) {
        DiskArray disks = log.disks();
        Faults faults = disks.disks().get(random.nextInt(disks.disks().size())).faults();
        switch (random.nextInt(12)) {
            case 0 -> faults.failForce(1 + random.nextInt(6));
            case 1 -> faults.failForcePartly(1 + random.nextInt(6));
            case 2 -> faults.failWrite(1 + random.nextInt(6));
            case 3 -> faults.failOperation(1 + random.nextInt(soon));
            case 4 -> faults.leaveSpace(random.nextInt(300_000));
            case 5 -> disks.crashAtOperation(1 + random.nextInt(soon), true);
            default -> disks.crashAtOperation(1 + random.nextInt(soon), false);
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
    private boolean live(int steps) throws IOException {
        DiskArray disks = log.disks();
        long failures = disks.failures();
        boolean opened = false;
        try {
            log.open(random.nextInt(12) == 0 ? Force.WRITE : STABLE[random.nextInt(STABLE.length)], random.nextInt(3));
            opened = true;
            counts.recoveries.increment();
            boolean turnsOver = steps > 0 && random.nextInt(4) == 0;
            for (int i = 0; i < (turnsOver ? steps * 10 : steps); i++) {
                if (turnsOver) {
                    turnOver();
                } else {
                    step();
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
            if (disks.failures() == failures) {
                throw expectedAfterFault;
            }
            if (!opened && disks.hasCrashed()) {
                counts.crashesInRecovery.increment();
            }
            if (opened) {
                log.goOnAfterFailure(random.nextInt(6));
            }
        }
        restart();
        return true;
    }

    private void step() throws IOException {
        switch (random.nextInt(40)) {
            case 0 -> log.mark();
            case 1 -> log.saveCheckpointAndDrop();
            case 2 -> log.drop(1 + random.nextLong(log.model.acknowledged() + 1));
            case 3 -> prepareOneMore();
            default -> log.step();
        }
    }

    private void prepareOneMore() throws IOException {
        if (log.prepareOneMore()) {
            counts.usedAgain.increment();
        }
    }

    /** A log of which the beginning is dropped as fast as the end grows. */
    private void turnOver() throws IOException {
        switch (random.nextInt(12)) {
            case 0 -> log.mark();
            case 1 -> log.saveCheckpointAndDrop();
            case 2, 3 -> prepareOneMore();
            default -> log.step();
        }
    }

    /** Only the process starts again, or the whole machine. */
    private void restart() {
        for (var disk : log.disks().disks()) {
            counts.failedForces.add(disk.faults().failedForces());
            counts.failedWrites.add(disk.faults().failedWrites());
            counts.failedOperations.add(disk.faults().failedOperations());
            if (disk.faults().refusedForSpace() > 0) {
                counts.fullDisks.increment();
            }
        }
        if (random.nextInt(3) == 0) {
            log.disks().note("-- killed");
            log = log.afterKill(random.nextLong());
            counts.kills.increment();
        } else {
            log.disks().note("-- power lost");
            log = log.afterPowerLoss(random.nextLong());
            counts.crashes.increment();
        }
    }
}
