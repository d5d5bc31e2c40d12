package io.plog.app.study;

import io.plog.host.events.MachineLoad;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Waits until the machine has been quiet for a second, again and again, until the time for it is used up. A hypervisor takes
 * processors away for minutes at a time, so measuring at once what it disturbed would be disturbed again. Used by one thread.
 */
final class IdleWait {
    /** Rather less than what a cell may lose to the hypervisor. */
    private static final double MOST_STEAL = 0.02;

    /** Nothing of the study runs meanwhile. */
    private static final double MOST_BUSY = 0.25;

    /** How the machine was over the next second. */
    @FunctionalInterface
    interface NextSecond {
        /** Empty if the system does not report it. */
        Optional<MachineLoad> load() throws IOException, InterruptedException;
    }

    private final NextSecond next;
    private int secondsLeft;

    /** @param mostSeconds of all waiting together */
    IdleWait(NextSecond next, int mostSeconds) {
        this.next = next;
        secondsLeft = mostSeconds;
    }

    /** Of this machine. */
    static IdleWait ofThisMachine(int mostSeconds) {
        return new IdleWait(
                () -> {
                    MachineLoad.Mark before = MachineLoad.mark();
                    Thread.sleep(1_000);
                    return before.until(MachineLoad.mark());
                },
                mostSeconds);
    }

    /**
     * Returns how many seconds it took; one if the system does not report how busy it is, none if the time is used up.
     *
     * @param given looked at each second: if true, it waits no longer
     */
    int await(BooleanSupplier given) throws IOException, InterruptedException {
        int waited = 0;
        while (secondsLeft > 0 && !given.getAsBoolean()) {
            secondsLeft--;
            waited++;
            Optional<MachineLoad> load = next.load();
            if (load.isEmpty() || isQuiet(load.get())) {
                break;
            }
        }
        return waited;
    }

    private static boolean isQuiet(MachineLoad load) {
        return load.stealShare() <= MOST_STEAL && load.busyShare() <= MOST_BUSY;
    }
}
