package io.plog.log;

import java.util.function.BooleanSupplier;

/**
 * Waits for a condition that is expected soon by testing it repeatedly, because waking a parked thread takes tens of
 * microseconds, about half as long as a force.
 */
final class SpinWait {
    /** Tests between two yields; with few processors the awaited thread may need this one. */
    private static final int LOOKS = 32;

    private static final boolean SINGLE_PROCESSOR = Runtime.getRuntime().availableProcessors() == 1;

    private SpinWait() {}

    /**
     * Waits until the condition is true, at most so many nanoseconds. With one processor it tests once.
     *
     * @return whether the condition is true
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
