package io.plog.log;

/**
 * How much of its stack the calling thread has left. An error at the end of the stack comes at any call, also between two steps
 * that belong together, and would leave the log of all callers half-changed. So code that changes something for others asks first.
 *
 * <p>It is found out by going there, with a {@link LargeFrame} for each kilobyte.
 */
final class StackRoom {
    private static final int LEVELS_FOR_CALL = 8;
    private static final int LEVELS_FOR_WORK = 64;

    private StackRoom() {}

    /**
     * Makes sure that there is room, 8 KiB, to put an append into the order of the log and to wake a thread for it.
     *
     * @param nanos the time
     * @throws StackOverflowError if there is not; nothing was changed
     */
    static void require(long nanos) {
        LargeFrame.reach(LEVELS_FOR_CALL, nanos);
    }

    /**
     * Makes sure that there is room, 64 KiB, for a lane's work and for what embedders have it call.
     *
     * @throws StackOverflowError if there is not; nothing was changed
     */
    static void requireForWork() {
        LargeFrame.reach(LEVELS_FOR_WORK, System.nanoTime());
    }

    /** Whether there is room, 64 KiB, to do a lane's work and to call what embedders have it call. */
    static boolean isEnoughForWork() {
        try {
            requireForWork();
            return true;
        } catch (StackOverflowError e) {
            return false;
        }
    }
}
