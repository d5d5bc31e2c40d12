package io.plog.log;

import io.plog.log.segment.PreparingPace;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.testing.SeededCampaign;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random lives of a striped log as its users open it, lanes and all, on simulated disks that lose power or die while groups of
 * appends are under way in all of them. Each history repeats from its own seed, which a failure names. {@code
 * StripeCampaignTest} crashes recovery, too.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class StripedLanesTest {
    private static final Force[] STABLE = {Force.FDATASYNC, Force.FSYNC, Force.DSYNC, Force.DIRECT};
    private static final int MOST_GROUPS = 12;

    @Test
    void whatIsAcknowledgedIsThereInItsPlaceWhicheverDisksCrashWhen() {
        campaign(300);
    }

    /** Length and seed: {@code -Dplog.test.jvmArgs="-Dplog.crash.runs=100000 -Dplog.crash.seed=1"}. */
    @Test
    @Tag("slow")
    @Timeout(value = 6, unit = TimeUnit.HOURS)
    void theSameManyTimes() {
        campaign(Integer.getInteger("plog.crash.runs", 100_000));
    }

    private static void campaign(int runs) {
        SeededCampaign.run(
                runs, "random histories of striped logs with lanes", "plog.crash.seed", seed -> new Lives(seed).run());
    }

    /**
     * Lets segments be prepared while the log is opened, and not afterwards, when it would be a matter of chance. With {@code
     * force=write} the old segment's file is forced by the preparing thread, and at each segment change that has its turn.
     */
    private static final class Gate implements PreparingPace, LogListener {
        private final boolean waitsForOldFiles;
        private volatile boolean closed;
        private int putAway; // guarded by this, as the next
        private int changes;

        Gate(Force force) {
            waitsForOldFiles = !force.isStable();
        }

        @Override
        public void beforeTry(long segment) throws IOException {
            if (closed) {
                throw new IOException(
                        "the test prepares no more: No space left on device") /* a shortage, not a failure */;
            }
        }

        @Override
        public synchronized void segmentChanged(long segment, long changeNanos) {
            changes++;
            while (waitsForOldFiles && putAway < changes) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException("a test was interrupted, probably by its time limit", e);
                }
            }
        }

        @Override
        public synchronized void putAway() {
            putAway++;
            notifyAll();
        }
    }

    private static final class Lives {
        private final SplittableRandom random;
        private final Model model = new Model();
        private DiskArray disks;

        Lives(long seed) {
            random = new SplittableRandom(seed);
            disks = DiskArray.of(2 + random.nextInt(3), random.nextBoolean() ? 512 : 4096, seed);
        }

        void run() throws Exception {
            int lives = 1 + random.nextInt(4);
            try {
                for (int i = 0; i < lives; i++) {
                    live();
                }
                Force force = STABLE[random.nextInt(STABLE.length)];
                try (MessageLog log = open(force, new SteppedLanes(random.nextLong()), new Gate(force))) {
                    model.check(log);
                }
            } catch (LogDamagedException refused) {
                // A log may be refused after force=write and a power cut.
                if (!model.mayBeDamaged()) {
                    throw refused;
                }
            }
        }

        private MessageLog open(Force force, SteppedLanes lanes, Gate gate) throws IOException {
            LogOptions options = Logs.options(Path.of("simulated"))
                    .withForce(force)
                    .withListener(gate)
                    .withGroupsInFlight(1 + random.nextInt(3))
                    .withMaxBatchBytes(32 * 1024)
                    .withReserveSegments(3);
            return MessageLog.open(options, disks.storages(), new LogThreading(gate, lanes));
        }

        private void live() throws Exception {
            SteppedLanes lanes = new SteppedLanes(random.nextLong());
            Force force = random.nextInt(8) == 0 ? Force.WRITE : STABLE[random.nextInt(STABLE.length)];
            Gate gate = new Gate(force);
            MessageLog log = open(force, lanes, gate);
            gate.closed = true;
            model.check(log);
            model.opened(force);
            disks.crashAtOperation(1 + random.nextInt(90), random.nextInt(4) == 0);
            boolean goesOn = true;
            for (int i = random.nextInt(MOST_GROUPS); i >= 0 && goesOn; i--) {
                goesOn = append(log, lanes);
            }
            if (goesOn && random.nextInt(3) == 0) {
                close(log);
            }
            boolean killed = random.nextInt(3) == 0;
            DiskArray after = killed ? disks.afterKill(random) : disks.afterPowerLoss(random);
            if (!killed || disks.hasLostOne()) {
                model.powerLost();
            }
            disks.disks().forEach(SimulatedDisk::crash);
            try {
                log.close();
            } catch (IOException expectedOfAnEndLikeThis) {
                // The power is off: nothing of the end reaches a disk.
            }
            disks = after;
        }

        /** In order, unless a disk crashes meanwhile; from there on all of it is stable, however it was forced. */
        private void close(MessageLog log) throws IOException {
            if (random.nextBoolean() && !disks.hasCrashed()) {
                disks.crashAtOperation(1 + random.nextInt(12), random.nextInt(4) == 0);
            }
            try {
                log.close();
                model.closed();
            } catch (IOException crashed) {
                if (!disks.hasCrashed()) {
                    throw crashed;
                }
            }
        }

        /** Appends one record and, in the moment in which it is acknowledged, others. */
        private boolean append(MessageLog log, SteppedLanes lanes) {
            AtomicInteger completions = new AtomicInteger();
            List<Outcome> others = new ArrayList<>();
            for (int i = random.nextInt(10); i > 0; i--) {
                List<byte[]> records = random.nextInt(4) > 0 ? List.of(payload()) : List.of(payload(), payload());
                others.add(new Outcome(records, 0, completions, () -> {}));
            }
            Outcome first = new Outcome(payload(), completions, () -> others.forEach(other -> other.appendTo(log)));
            first.appendTo(log);
            lanes.wake();
            boolean goesOn = hasOutcome(first);
            if (first.index() > 0) {
                for (Outcome other : others) {
                    goesOn &= hasOutcome(other);
                }
            }
            return goesOn;
        }

        private byte[] payload() {
            byte[] payload = new byte[random.nextInt(random.nextInt(4) == 0 ? 16_000 : 200)];
            random.nextBytes(payload);
            return payload;
        }

        private boolean hasOutcome(Outcome outcome) {
            LogException failure = outcome.await();
            model.outcome(outcome, failure);
            return failure == null;
        }
    }
}
