package io.plog.log.spi;

import java.io.IOException;
import java.time.Duration;

/**
 * A queue of servers that want to hold the same log, so that one holds it and the others wait until it is gone.
 *
 * <p>It is a convenience and may be wrong: a server that was cut off or asleep may believe that it is its turn when it is another's.
 * Nothing depends on it but that servers do not take a log from each other without need. Who may append is decided by the log alone,
 * which fences the writer before when it is opened.
 */
public interface HolderElection {
    /**
     * Joins at the end of the queue. Blocks for some seconds at most.
     *
     * @param self what the others read about this server, one line
     * @param notice after how long without a sign of life this server counts as gone; what keeps the queue may have bounds of its own
     * @throws io.plog.log.storage.LogException if no server of the queue answers; the message says what to do
     * @throws IOException if the place cannot be had
     */
    Place join(String self, Duration notice) throws IOException;

    /**
     * A place in the queue. It is kept up until it is closed, also while its server holds the log: a server that counted as gone and is
     * not joins again, at the end. For any thread.
     */
    interface Place extends AutoCloseable {
        /**
         * Waits until it is this server's turn to open the log.
         *
         * @param atMost how long
         * @return whether it is its turn
         * @throws InterruptedException if the caller is interrupted
         * @throws IOException if the place was closed
         */
        boolean awaitTurn(Duration atMost) throws IOException, InterruptedException;

        /**
         * Whether it is certain at this moment that no other server's turn has come since this one's did: this one is first, and its last
         * sign of life that was answered was sent so short a time ago that it cannot count as gone, by this machine's monotonic clock. A
         * holder that is cut off, or was stopped, knows by it that its answers may be old. Ask after reading what is answered. Reads a
         * clock and does not block.
         */
        boolean isSurelyFirst();

        /** What the first in the queue says of itself; "" if that is not known. Does not block. */
        String holder();

        /** Whether another server waits behind this one. Does not block. */
        boolean isWaitedFor();

        /** After how long without a sign of life this server counts as gone. Does not block. */
        Duration notice();

        /** Leaves the queue: the next one's turn comes at once. A second call does nothing. */
        @Override
        void close();
    }
}
