package io.plog.log;

import java.util.function.BooleanSupplier;

/**
 * Looking for something that is expected soon, without giving the processor up for long: to be woken takes tens of
 * microseconds, about half as much as a force.
 */
final class SpinWait {
    /** Looks between two offers of the processor to others; on few processors they may be what one is waiting for. */
    private static final int LOOKS = 32;

    private static final boolean SINGLE_PROCESSOR = Runtime.getRuntime().availableProcessors() == 1;

    private SpinWait() {}

    /**
     * Looks until something is so, or the time is over.
     *
     * @return whether it is so
     */
    @SuppressWarnings(
            "ThreadPriorityCheck") // not for correctness: a hint to the scheduler, and worth it by measurement
    static boolean until(BooleanSupplier condition, long nanos) {
        if (condition.getAsBoolean()) {
            return true;
        }
        if (SINGLE_PROCESSOR || nanos == 0) {
            return false;
        }
        long begin = System.nanoTime();
        do {
            for (int i = 0; i < LOOKS; i++) {
                if (condition.getAsBoolean()) {
                    return true;
                }
                Thread.onSpinWait();
            }
            Thread.yield();
        } while (System.nanoTime() - begin < nanos);
        return condition.getAsBoolean();
    }
}
