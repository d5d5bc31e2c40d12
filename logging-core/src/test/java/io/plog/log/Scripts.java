package io.plog.log;

import io.plog.log.ModelledLog.Opening;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogRefusedException;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.util.List;

/** Short scripts that together do everything a log does; each is crashed at every operation of its second part. */
final class Scripts {
    /** Part of a script, with a way of forcing. */
    interface Part {
        void run(ModelledLog log, Force force) throws IOException;
    }

    /**
     * A script.
     *
     * @param before what comes before; nothing fails there
     * @param part what is crashed at every operation
     */
    record Script(String name, Part before, Part part) {}

    private Scripts() {}

    static List<Script> all() {
        return List.of(
                new Script("creation", (log, force) -> {}, (log, force) -> {
                    open(log, force);
                    log.append(10);
                }),
                new Script("creation at an index", (log, force) -> {}, (log, force) -> {
                    log.beginningAt(1000);
                    open(log, force);
                    log.append(10);
                }),
                new Script("appends in batches", Scripts::created, (log, force) -> {
                    open(log, force);
                    log.append(10);
                    log.append(700, 0, 5000, 33);
                    log.append(10);
                }),
                new Script("lists of records", Scripts::nearlyFull, (log, force) -> {
                    openWithLanes(log, force);
                    log.appendLists(true, 10, new int[] {300, 7, 40}, new int[] {20});
                    log.appendLists(false, 10, new int[] {10, 9000}, new int[] {4000, 100, 5}, new int[] {1, 2});
                }),
                new Script("several groups under way", Scripts::created, (log, force) -> {
                    openWithLanes(log, force);
                    log.append(10, 20, 700, 10, 300, 30);
                    log.append(10, 0, 5, 900, 40, 10);
                }),
                new Script("several groups under way, and a segment change", Scripts::nearlyFull, (log, force) -> {
                    openWithLanes(log, force);
                    log.append(10, 100, 30, 40);
                    log.append(2000, 2000, 20, 900, 40);
                }),
                new Script("segment change", Scripts::nearlyFull, (log, force) -> {
                    open(log, force);
                    log.append(10);
                    log.append(9000, 9000);
                    log.append(10, 20);
                }),
                new Script("segment change, the seal in the last batch", Scripts::nearlyFull, (log, force) -> {
                    open(log, force);
                    log.append(10, 700, 100, 9000, 20);
                    log.append(10);
                }),
                new Script("segment change, the next one prepared at once", Scripts::nearlyFull, (log, force) -> {
                    log.open(new Opening(force, false, true));
                    log.append(10);
                    log.append(9000, 9000);
                }),
                new Script("segments that grow", (log, force) -> {}, (log, force) -> {
                    log.open(new Opening(force, false, true, false, true));
                    log.append(10);
                    log.append(60_000);
                    log.append(10, 9000);
                }),
                new Script("threads that two logs share", Scripts::created, (log, force) -> {
                    ModelledLog other = new ModelledLog(new SimulatedDisk(512), 1);
                    try (LogRuntime threads = LogRuntime.ofThreads(3)) {
                        open(other.on(threads), force);
                        try {
                            open(log.on(threads), force);
                            log.append(10);
                            log.append(700, 0, 5000, 33);
                        } finally {
                            log.abandon();
                            other.append(10, 100);
                            other.endProcess();
                            other.checkPowerLosses(1, force);
                        }
                    }
                }),
                new Script("idle marks", Scripts::created, (log, force) -> {
                    log.open(new Opening(force, true, false));
                    log.append(10);
                    log.append(100, 4000);
                }),
                new Script("close and open again", Scripts::created, (log, force) -> {
                    open(log, force);
                    log.append(10);
                    log.close();
                    open(log, force);
                    log.append(100, 10);
                    log.close();
                }),
                new Script("another way of forcing", Scripts::created, (log, force) -> {
                    open(log, Force.FDATASYNC);
                    log.append(10, 100);
                    log.close();
                    open(log, force == Force.DIRECT ? Force.DSYNC : Force.DIRECT);
                    log.append(10, 100);
                }),
                new Script("dropping a prefix", Scripts::threeSegments, (log, force) -> {
                    open(log, force);
                    log.truncateBefore(5);
                    log.append(10);
                    log.truncateBefore(7);
                }),
                new Script("a segment that is used again", Scripts::threeSegments, (log, force) -> {
                    open(log, force);
                    log.truncateBefore(5);
                    log.append(15_000, 15_000);
                    log.append(8160, 100);
                    log.append(20);
                }),
                new Script("checkpoints", Scripts::threeSegments, (log, force) -> {
                    open(log, force);
                    log.saveCheckpoint(3, 700);
                    log.append(10);
                    log.saveCheckpoint(6, 10);
                    log.truncateBefore(7);
                    log.append(10);
                }),
                new Script("cells", Scripts::created, (log, force) -> {
                    open(log, force);
                    log.putCell("term", 8);
                    log.append(10);
                    log.putCell("term", 900);
                    log.putCell("vote", 40);
                }),
                new Script("cuts at the end", Scripts::threeSegments, (log, force) -> {
                    open(log, force);
                    log.truncateAfter(5);
                    log.append(10);
                    log.truncateAfter(2);
                    log.append(100, 10);
                }),
                new Script("a cut in the active segment", Scripts::created, (log, force) -> {
                    openWithLanes(log, force);
                    log.append(10, 700, 10);
                    log.truncateAfter(1, 10, 100, 10, 20, 300);
                    log.append(10);
                }),
                new Script("emptied", Scripts::threeSegments, (log, force) -> {
                    open(log, force);
                    log.saveCheckpoint(3, 700);
                    log.reset(100);
                    log.append(10);
                }),
                new Script("emptied for a state", Scripts::threeSegments, (log, force) -> {
                    open(log, force);
                    log.saveCheckpoint(3, 700);
                    log.reset(4, 900);
                    log.append(10);
                }),
                new Script("no space, and space again", Scripts::nearlyFull, (log, force) -> {
                    open(log, force);
                    log.disk().faults().leaveSpace(20_000);
                    try {
                        for (int i = 0; i < 6; i++) {
                            log.append(10, 10, 16_000);
                        }
                        throw new AssertionError("there was no space for this");
                    } catch (LogRefusedException.NoSpace expected) {
                        log.giveSpaceBack();
                    }
                    log.append(16_000);
                }),
                new Script("drops on a full disk", Scripts::threeSegments, (log, force) -> {
                    open(log, force);
                    log.saveCheckpoint(5, 700);
                    log.disk().faults().leaveSpace(0);
                    log.truncateBefore(4);
                    log.disk().faults().leaveSpace(0); // whatever became free, a stranger took
                    log.truncateBefore(6);
                    log.append(10);
                }),
                new Script("a failed force", Scripts::created, (log, force) -> {
                    open(log, force);
                    log.append(10);
                    log.disk().faults().failForce(1);
                    try {
                        log.append(3000);
                        throw new AssertionError("this force was to fail");
                    } catch (LogFailedException expected) {
                        log.abandon();
                    }
                    open(log, force);
                    log.append(5000, 10);
                }),
                new Script("a torn tail", Scripts::torn, (log, force) -> {
                    open(log, force);
                    log.append(10);
                    log.append(100, 5000);
                }),
                new Script("short writes", Scripts::nearlyFull, (log, force) -> {
                    open(log, force);
                    log.disk().faults().writeAtMost(30_000);
                    log.append(10, 5000);
                    log.append(9000, 9000);
                }));
    }

    private static void open(ModelledLog log, Force force) throws IOException {
        log.open(Opening.of(force));
    }

    private static void openWithLanes(ModelledLog log, Force force) throws IOException {
        log.open(new Opening(force, false, false, true, false));
    }

    private static void created(ModelledLog log, Force force) throws IOException {
        open(log, force);
        log.close();
    }

    /** One segment with room for a few small records more. */
    private static void nearlyFull(ModelledLog log, Force force) throws IOException {
        open(log, force);
        log.append(14_000);
        log.append(9000);
        log.close();
    }

    private static void threeSegments(ModelledLog log, Force force) throws IOException {
        open(log, force);
        for (int i = 0; i < 6; i++) {
            log.append(15_000);
        }
        log.close();
    }

    /** The process died in the middle of a write, most of which is there. */
    private static void torn(ModelledLog log, Force force) throws IOException {
        open(log, force);
        log.append(10, 100);
        log.disk().faults().failWrite(1);
        try {
            log.append(9000);
            throw new AssertionError("this write was to fail");
        } catch (LogFailedException expected) {
            log.abandon();
        }
    }
}
