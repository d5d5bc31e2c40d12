package io.plog.log;

import io.plog.log.ModelledLog.Opening;
import io.plog.log.storage.Force;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Logs at rest, to be damaged: closed in order, and in several states after a crash. */
final class DamagedLogs {
    private DamagedLogs() {}

    /**
     * A log that was closed in order: its prefix dropped for a checkpoint, three segments with more than 64 KiB of records of
     * many sizes, and a prepared one.
     */
    static Evidence closed(int sectorBytes) throws IOException {
        ModelledLog log = new ModelledLog(new SimulatedDisk(sectorBytes), 1);
        log.open(new Opening(Force.FDATASYNC, false, true));
        for (int i = 0; i < 5; i++) {
            log.append(12_000, 100);
        }
        log.saveCheckpoint(7, 700);
        log.putCell("term", 8);
        log.putCell("vote", 900);
        log.putCell("term", 9);
        log.truncateBefore(8);
        log.close();
        log.open(new Opening(Force.FDATASYNC, true, true));
        for (int i = 0; i < 4; i++) {
            log.append(300, 14_000, 0, 3);
        }
        log.close();
        return new Evidence(log.disk());
    }

    /** A small log that was closed in order, its one segment used for the first records only. */
    static Evidence small(int sectorBytes) throws IOException {
        ModelledLog log = new ModelledLog(new SimulatedDisk(sectorBytes), 2);
        log.open(Opening.of(Force.FDATASYNC));
        log.append(10, 600, 3000);
        log.close();
        return new Evidence(log.disk());
    }

    /** A log that was closed in order. The file of its last segment was used before, and holds old records behind the new ones. */
    static Evidence turnedOver(int sectorBytes) throws IOException {
        ModelledLog log = new ModelledLog(new SimulatedDisk(sectorBytes), 4);
        log.open(new Opening(Force.FDATASYNC, false, true));
        turnOver(log);
        log.close();
        return new Evidence(log.disk());
    }

    /**
     * A log with a checkpoint that covers all records of its first segments; closed in order, or as after a crash, and then in
     * segments that were used before.
     */
    static Evidence covered(int sectorBytes, boolean closed) throws IOException {
        ModelledLog log = new ModelledLog(new SimulatedDisk(sectorBytes), 6);
        log.open(new Opening(Force.FDATASYNC, false, true));
        if (!closed) {
            turnOver(log);
        }
        for (int i = 0; i < 4; i++) {
            log.append(14_000, 300, 9_000, 20);
        }
        log.saveCheckpoint(log.log().durableIndex() - 3, 700);
        log.append(2_000, 20);
        if (!closed) {
            return crash(log);
        }
        log.close();
        return new Evidence(log.disk());
    }

    /**
     * A log that was closed in order: it was cut at its end four times. The second cut took the first with it, and the last one
     * left the third.
     */
    static Evidence cut(int sectorBytes) throws IOException {
        ModelledLog log = new ModelledLog(new SimulatedDisk(sectorBytes), 8);
        log.open(new Opening(Force.FDATASYNC, false, true));
        cut(log);
        log.close();
        return new Evidence(log.disk());
    }

    private static void cut(ModelledLog log) throws IOException {
        for (int i = 0; i < 4; i++) {
            log.append(14_000, 300);
        }
        log.truncateAfter(7);
        log.append(20, 30);
        log.truncateAfter(5);
        log.append(14_000, 300, 10);
        log.truncateAfter(6);
        for (int i = 0; i < 4; i++) {
            log.append(14_000, 300);
        }
        log.truncateAfter(13);
        log.append(20);
    }

    private static void turnOver(ModelledLog log) throws IOException {
        for (int i = 0; i < 16; i++) {
            log.append(14_000, 300);
            log.truncateBefore(Math.max(1, log.log().durableIndex() - 4));
        }
        if (SegmentHeaders.usedAgain(log.disk()) == 0) {
            throw new AssertionError("no segment was used again");
        }
    }

    /**
     * States after a crash: under load, idle, right behind a segment change, torn, with a checkpoint at the very end, cut at the end,
     * emptied, in a segment that was used before.
     */
    static List<Evidence> crashed(int sectorBytes, Force... forces) throws IOException {
        List<Evidence> states = new ArrayList<>();
        for (Force force : forces) {
            ModelledLog load = open(sectorBytes, force, false);
            for (int i = 0; i < 4; i++) {
                load.append(300, 9000, 20);
            }
            states.add(crash(load));

            ModelledLog idle = open(sectorBytes, force, true);
            idle.append(300, 9000, 20);
            idle.append(40, 40, 40, 40);
            states.add(crash(idle));

            ModelledLog changed = open(sectorBytes, force, false);
            for (int i = 0; i < 3; i++) {
                changed.append(14_000);
            }
            states.add(crash(changed));

            ModelledLog noted = open(sectorBytes, force, false);
            noted.append(100, 200, 300);
            noted.saveCheckpoint(3, 900);
            noted.putCell("term", 8);
            noted.putCell("vote", 40);
            states.add(crash(noted));

            ModelledLog torn = open(sectorBytes, force, false);
            torn.append(2000, 100);
            torn.disk().faults().failWrite(1);
            try {
                torn.append(9000);
                throw new AssertionError("this write was to fail");
            } catch (LogFailedException expected) {
                torn.abandon();
            }
            states.add(crash(torn));

            ModelledLog cut = open(sectorBytes, force, false);
            cut(cut);
            states.add(crash(cut));

            ModelledLog justCut = open(sectorBytes, force, false);
            justCut.append(300, 9000, 20);
            justCut.truncateAfter(2);
            states.add(crash(justCut));

            ModelledLog empty = open(sectorBytes, force, false);
            empty.append(300, 9000, 20);
            empty.reset(2, 100);
            states.add(crash(empty));

            ModelledLog usedAgain = open(sectorBytes, force, false);
            turnOver(usedAgain);
            usedAgain.append(300, 2000, 20);
            states.add(crash(usedAgain));
        }
        return states;
    }

    private static ModelledLog open(int sectorBytes, Force force, boolean marksWhenIdle) throws IOException {
        ModelledLog log = new ModelledLog(new SimulatedDisk(sectorBytes, 5), 3);
        log.open(new Opening(force, marksWhenIdle, true));
        return log;
    }

    private static Evidence crash(ModelledLog log) throws IOException {
        log.endProcess();
        return new Evidence(log.disk().afterCrash(7));
    }
}
