package io.plog.log;

import java.util.concurrent.atomic.AtomicLong;

/** How long a lane's current write and force have taken so far. Written by the lane, read by any thread. */
final class BusyClock {
    private static final long IDLE = Long.MIN_VALUE;

    private final AtomicLong sinceNanos = new AtomicLong(IDLE);

    /** A write and force begin. */
    void begin(long nowNanos) {
        sinceNanos.lazySet(nowNanos);
    }

    void end() {
        sinceNanos.lazySet(IDLE);
    }

    /** How long they have taken so far, in nanoseconds; 0 if there is none. */
    long nanos(long nowNanos) {
        long since = sinceNanos.get();
        return since == IDLE ? 0 : Math.max(0, nowNanos - since);
    }
}
