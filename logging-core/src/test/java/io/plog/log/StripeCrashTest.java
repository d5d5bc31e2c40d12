package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.file.RecordHeader;
import io.plog.log.storage.Force;
import io.plog.log.testing.Parallel;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The promise of a striped log at every crash point of short scripts, counted over all its disks: power is lost, only the
 * process dies, or one disk dies and the others go on for a while; then at every crash point of the recovery that follows;
 * and after that the log goes on, crashes and recovers once more.
 *
 * <p>Recoveries that crash themselves are nine tenths of the work. In each build they follow every eighth crash point, from
 * one on that chance chooses, of those that a build tries ({@link CaseStep}); {@code -Dplog.test.jvmArgs=-Dplog.stripe.seed=N}
 * repeats one. At full length, which is behind every crash point and with eight choices of what survives instead of two:
 * {@code mvn -pl logging-core test -Dtest=StripeCrashTest -Dplog.test.excludedGroups=}.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class StripeCrashTest {
    private static final Force[] FORCES = {Force.FDATASYNC, Force.DIRECT, Force.FSYNC, Force.DSYNC};

    /** Part of a script. */
    private interface Part {
        void run(StripedLog log, Force force) throws IOException;
    }

    private static final long SEED = Long.getLong("plog.stripe.seed", new SplittableRandom().nextLong());

    /** How thoroughly: how many choices of what survives each crash, and each crash during recovery. */
    private static int survivors = Integer.getInteger("plog.stripe.survivors", 2);

    /** Of how many crash points one is tried. */
    private static int step = CaseStep.get();

    /** Behind every how many of all crash points the recovery crashes as well, everywhere; 0 for none. */
    private static int nestedStep = Integer.getInteger("plog.stripe.nestedStep", 8);

    @Test
    void aCrashAnywhereInTheCreation() {
        explore((log, force) -> {}, (log, force) -> {
            log.open(force, 0);
            log.start(0, 10);
            log.start(1, 20);
            log.finish();
        });
    }

    @Test
    void aCrashAnywhereWhileBatchesAreUnderWayInAllDirectories() {
        explore(StripeCrashTest::created, (log, force) -> {
            log.open(force, 0);
            log.start(0, 10, 600);
            log.start(1, 700, 30);
            log.stepIn(0);
            log.finish(1); // durable, but not acknowledged
            log.start(1, 3000);
            log.finish();
            log.start(1, 20);
            log.finish();
        });
    }

    /** One directory goes on through several segments while a batch of the other is under way, and may be lost. */
    @Test
    void aCrashAnywhereWhileOneDirectoryRunsAheadThroughItsSegments() {
        explore(StripeCrashTest::nearlyFull, (log, force) -> {
            log.open(force, 2);
            log.start(0, 400, 20);
            log.stepIn(0);
            log.start(1, 9000, 9000, 9000);
            log.finish(1);
            log.start(1, 9000, 9000); // changes the segment
            log.finish(1);
            log.finish(0);
            log.start(0, 9);
            log.start(1, 9);
            log.finish();
        });
    }

    @Test
    void aCrashAnywhereWhileAPrefixIsDropped() {
        explore(StripeCrashTest::severalSegments, (log, force) -> {
            log.open(force, 0);
            log.saveCheckpointAndDrop();
            log.start(0, 10);
            log.start(1, 10);
            log.finish();
        });
    }

    @Test
    void aCrashAnywhereAroundMarksAndAClose() {
        explore(StripeCrashTest::created, (log, force) -> {
            log.open(force, 0);
            log.start(1, 100);
            log.mark();
            log.start(0, 100);
            log.start(1, 100);
            log.close();
            log.open(force, 0);
            log.start(0, 100);
            log.close();
        });
    }

    /** The log's life before ended with batches under way, of which the first was lost. */
    @Test
    void aCrashAnywhereInTheLifeAfterATornOne() {
        explore(StripeCrashTest::created, (log, force) -> {}, (torn, force) -> {
            torn.open(force, 2);
            torn.start(0, 300);
            for (int i = 0; i < 3; i++) {
                torn.start(1, 9000, 9000, 9000); // a segment each
                torn.finish(1);
            }
        });
    }

    /**
     * The page cache shows zeros behind the closing mark, the device has a torn group there. The next group ends where a
     * sector does, so that it overwrites nothing of the rest. In a log of one directory, too.
     */
    @Test
    void aTornGroupBehindAClosingMarkDoesNotComeBackWhenItsZerosWereNotForced() throws Exception {
        int failures = 0;
        for (int seed = 0; seed < 60; seed++) {
            StripedLog log = new StripedLog(DiskArray.of(1 + seed % 2, 512, seed), seed);
            log.open(Force.FSYNC, 0);
            log.start(0, 480);
            log.finish();
            log.close();
            log.open(Force.FSYNC, 0);
            int toBlockEnd = log.payloadToBlockEnd(0); // else its padding would overwrite what comes behind it
            log.start(0, toBlockEnd, 480, 480);
            log.stepIn(0);
            for (int force = 4; force <= 7; force++) {
                StripedLog torn = log.copy(seed).afterPowerLoss(seed);
                torn.disks().disks().get(0).faults().failForce(force);
                try {
                    torn.open(Force.FSYNC, 0);
                } catch (IOException expected) {
                    failures++;
                    StripedLog again = torn.afterKill(seed);
                    again.open(Force.FSYNC, 0);
                    again.start(0, toBlockEnd - RecordHeader.BYTES); // and a trailer
                    again.finish();
                    for (int survivors = 0; survivors < 4; survivors++) {
                        StripedLog after = again.copy(survivors).afterPowerLoss(survivors);
                        after.open(Force.FSYNC, 0);
                        after.close();
                    }
                }
            }
        }
        assertThat(failures).isPositive();
    }

    /**
     * What a failed force left behind is in the page cache and not on the disk, and no later force brings it there. A mark of
     * one directory speaks of all of them, so it must not be stable before each has written its records again.
     */
    @Test
    void whatAFailedForceLeftInOneDirectoryIsOnTheDiskBeforeAMarkInAnotherSaysSo() throws Exception {
        int crashes = 0;
        for (int seed = 0; seed < 8; seed++) {
            boolean crashed = true;
            for (int operation = 1; crashed; operation++) {
                StripedLog log = new StripedLog(DiskArray.of(2, 512, seed), seed);
                log.open(Force.FDATASYNC, 0);
                log.start(0, 300);
                log.start(1, 600);
                log.finish(0);
                log.disks().disks().get(1).faults().failForce(1);
                assertThatThrownBy(() -> log.finish(1)).isInstanceOf(IOException.class);
                StripedLog again = log.afterKill(seed);
                again.disks().crashAtOperation(operation, false);
                try {
                    again.open(Force.FDATASYNC, 0);
                    crashed = again.disks().hasCrashed();
                } catch (IOException e) {
                    assertThat(again.disks().hasCrashed()).as("%s", e).isTrue();
                }
                crashes += crashed ? 1 : 0;
                StripedLog after = again.afterPowerLoss(seed);
                after.open(Force.FDATASYNC, 0);
                after.close();
            }
        }
        assertThat(crashes).as("crashes during the recovery").isGreaterThan(100);
    }

    @Test
    @Tag("slow")
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void allOfItWithMoreChoicesOfWhatSurvives() {
        int survivorsBefore = survivors;
        int nestedStepBefore = nestedStep;
        int stepBefore = step;
        survivors = Integer.getInteger("plog.stripe.survivors", 8);
        nestedStep = 1;
        step = 1;
        try {
            aCrashAnywhereInTheCreation();
            aCrashAnywhereWhileBatchesAreUnderWayInAllDirectories();
            aCrashAnywhereWhileOneDirectoryRunsAheadThroughItsSegments();
            aCrashAnywhereWhileAPrefixIsDropped();
            aCrashAnywhereAroundMarksAndAClose();
            aCrashAnywhereInTheLifeAfterATornOne();
        } finally {
            survivors = survivorsBefore;
            nestedStep = nestedStepBefore;
            step = stepBefore;
        }
    }

    private static void created(StripedLog log, Force force) throws IOException {
        log.open(force, 0);
        log.close();
    }

    private static void nearlyFull(StripedLog log, Force force) throws IOException {
        log.open(force, 1);
        log.start(1, 9000);
        log.finish();
        log.close();
    }

    private static void severalSegments(StripedLog log, Force force) throws IOException {
        log.open(force, 3);
        for (int i = 0; i < 7; i++) {
            log.start(i % 2, 9000, 9000, 9000);
            log.finish();
        }
        log.close();
    }

    private static void explore(Part before, Part part) {
        explore(before, part, (log, force) -> {});
    }

    /** Each way of forcing with one sector size and a number of disks, in turn. */
    private static void explore(Part before, Part part, Part inBetween) {
        AtomicBoolean goesOn = new AtomicBoolean(true); // no longer if one of them failed
        Parallel.forEach(FORCES.length, i -> {
            Force force = FORCES[(int) i];
            int count = i == 1 ? 3 : 2;
            Exploration exploration = new Exploration(before, inBetween, part, force, count, i % 2 == 0 ? 512 : 4096);
            exploration.nests = i == 2 && nestedStep > 0;
            boolean passed = false;
            try {
                exploration.run(goesOn);
                passed = true;
            } finally {
                goesOn.compareAndSet(true, passed);
            }
        });
    }

    private static final class Exploration {
        private final Part before;
        private final Part inBetween;
        private final Part part;
        private final Force force;
        private final int count;
        private final int sectorBytes;
        private boolean nests;
        private long nestedCrashes;
        private long recoveries;

        Exploration(Part before, Part inBetween, Part part, Force force, int count, int sectorBytes) {
            this.before = before;
            this.inBetween = inBetween;
            this.part = part;
            this.force = force;
            this.count = count;
            this.sectorBytes = sectorBytes;
        }

        void run(AtomicBoolean goesOn) throws IOException {
            long operation = 1 + (step == 1 ? 0 : CaseStep.first());
            while (crashAt(operation)) {
                operation += step;
                if (!goesOn.get()) {
                    return;
                }
            }
            assertThat(operation).as("operations").isGreaterThan(8);
            if (step == 1) { // else those may be among the ones left out
                assertThat(nestedCrashes > 0).as("crashes during recovery").isEqualTo(nests);
            }
            System.out.println(force.label() + ", " + count + " disks with sectors of " + sectorBytes + ": "
                    + (operation - 1) / step + " crash points, " + recoveries + " recoveries, "
                    + nestedCrashes
                    + " that crashed, from seed " + SEED);
        }

        private StripedLog prepared(long seed) throws IOException {
            StripedLog log = new StripedLog(DiskArray.of(count, sectorBytes, seed), seed);
            before.run(log, force);
            inBetween.run(log, force);
            return seed % 2 == 0 ? log.afterPowerLoss(seed) : log.afterKill(seed);
        }

        /** Returns whether there was such an operation. */
        private boolean crashAt(long operation) throws IOException {
            boolean crashed = false;
            for (int seed = 0; seed < survivors; seed++) {
                for (boolean alone : new boolean[] {false, true}) {
                    StripedLog log = prepared(seed);
                    log.disks().crashAtOperation(operation, alone);
                    runToTheCrash(log);
                    crashed |= log.disks().hasCrashed();
                    String where = force.label() + ", " + count + " disks, crash at operation " + operation + ", seed "
                            + seed + (alone ? ", one disk died" : "");
                    if (alone) {
                        log.goOnAfterFailure(seed + (int) operation % 4);
                    }
                    boolean deep = nests && seed == 0 && !alone && Math.floorMod(operation + SEED, nestedStep) == 0;
                    recover(log.afterPowerLoss(seed + 1), deep, where + ", power lost");
                    recover(log.afterKill(seed + 1), deep, where + ", killed");
                }
            }
            return crashed;
        }

        private void runToTheCrash(StripedLog log) throws IOException {
            try {
                log.open(force, 0);
                part.run(log, force);
            } catch (IOException e) {
                if (!log.disks().hasCrashed()) {
                    throw e;
                }
            }
        }

        private void recover(StripedLog log, boolean deep, String where) throws IOException {
            try {
                boolean crashed = deep;
                for (int operation = 1; crashed; operation++) {
                    for (int seed = 0; seed < survivors; seed++) {
                        StripedLog again = log.copy(seed);
                        again.disks().crashAtOperation(operation, false);
                        crashed = !opens(again);
                        if (crashed) {
                            nestedCrashes++;
                            goOn(seed % 2 == 0 ? again.afterPowerLoss(seed) : again.afterKill(seed));
                        }
                    }
                }
                goOn(log);
            } catch (IOException | AssertionError e) {
                throw new AssertionError(where + ": " + e, e);
            }
        }

        private boolean opens(StripedLog log) throws IOException {
            recoveries++;
            try {
                log.open(force, 0);
                return !log.disks().hasCrashed();
            } catch (IOException e) {
                if (!log.disks().hasCrashed()) {
                    throw e;
                }
                return false;
            }
        }

        /** The log recovers, goes on, crashes and recovers once more. */
        private void goOn(StripedLog log) throws IOException {
            log.open(force, 1);
            log.drop(Math.min(
                    10, log.model.acknowledged() + 1)); // may have been dropped before, in some of the directories
            for (int stripe = count - 1; stripe >= 0; stripe--) {
                log.start(stripe, 300, 20);
                log.finish(stripe);
            }
            log.start(0, 40);
            log.stepIn(0);
            StripedLog after = log.afterPowerLoss(recoveries);
            after.open(force, 0);
            after.close();
            recoveries += 2;
        }
    }
}
