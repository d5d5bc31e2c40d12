package io.plog.app.study;

import io.plog.host.events.MachineLoad;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Waits until the machine has been quiet for a second, or for long enough. A hypervisor takes processors away for minutes at a time,
 * so measuring at once what it disturbed would be disturbed again. Used by one thread.
 */
final class QuietMoment {
    /** Rather less than what a cell may lose to the hypervisor. */
    private static final double MOST_STEAL = 0.02;

    /** Nothing of the study runs meanwhile. */
    private static final double MOST_BUSY = 0.25;

    /** How the machine was over the next second. */
    @FunctionalInterface
    interface NextSecond {
        /** Empty if the system does not tell. */
        Optional<MachineLoad> load() throws IOException, InterruptedException;
    }

    private final NextSecond next;
    private final int mostSeconds;

    /** @param mostSeconds after which it waits no longer */
    QuietMoment(NextSecond next, int mostSeconds) {
        this.next = next;
        this.mostSeconds = mostSeconds;
    }

    /** Of this machine. */
    static QuietMoment ofThisMachine(int mostSeconds) {
        return new QuietMoment(
                () -> {
                    MachineLoad.Mark before = MachineLoad.mark();
                    Thread.sleep(1_000);
                    return before.until(MachineLoad.mark());
                },
                mostSeconds);
    }

    /**
     * Returns how many seconds it took; one if the system does not tell how busy it is.
     *
     * @param given looked at each second: if true, it waits no longer
     */
    int await(BooleanSupplier given) throws IOException, InterruptedException {
        for (int second = 1; second <= mostSeconds && !given.getAsBoolean(); second++) {
            Optional<MachineLoad> load = next.load();
            if (load.isEmpty() || isQuiet(load.get())) {
                return second;
            }
        }
        return mostSeconds;
    }

    private static boolean isQuiet(MachineLoad load) {
        return load.stealShare() <= MOST_STEAL && load.busyShare() <= MOST_BUSY;
    }
}
