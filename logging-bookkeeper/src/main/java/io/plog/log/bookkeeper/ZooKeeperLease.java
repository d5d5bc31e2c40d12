package io.plog.log.bookkeeper;

import java.util.concurrent.TimeUnit;

/** How long a session of ZooKeeper surely lives. */
final class ZooKeeperLease {
    private ZooKeeperLease() {}

    /**
     * Whether a session surely lives still. ZooKeeper ends it when it has heard nothing for the session's time, by the clock of its leader.
     * A quarter of it is kept back, because another server than the leader hands its clients' signs of life on every half tick only, and
     * a session is at least two ticks long.
     *
     * @param nanos since the last request that was answered was sent
     * @param sessionMillis the session's time, as it was agreed
     */
    static boolean isGood(long nanos, int sessionMillis) {
        return nanos < TimeUnit.MILLISECONDS.toNanos(sessionMillis) / 4 * 3;
    }
}
