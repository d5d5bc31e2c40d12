package io.plog.log;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the lanes' operations on the disk, and can be shut. When it is shut and the count is zero, no operation runs and none
 * can begin. Only then may the directory be released to another writer. Thread-safe, without locks.
 */
final class DiskGate {
    private static final int SHUT = Integer.MIN_VALUE;

    private final AtomicInteger underWay = new AtomicInteger(); // and SHUT
    private final AtomicLong ended = new AtomicLong();

    /**
     * Something begins; {@link #leave} must follow.
     *
     * @throws IOException if the gate is shut: the log was given up while it was closed
     */
    void enter() throws IOException {
        if (underWay.incrementAndGet() < 0) {
            underWay.decrementAndGet();
            throw new IOException("the log was given up while it was closed; nothing is written any more");
        }
    }

    /** It ended, one way or the other. */
    void leave() {
        ended.incrementAndGet();
        underWay.decrementAndGet();
    }

    /** Lets nothing begin any more. */
    void shut() {
        underWay.getAndUpdate(before -> before | SHUT);
    }

    /** Whether no operation runs. */
    boolean isIdle() {
        return (underWay.get() & ~SHUT) == 0;
    }

    /** How often something ended. */
    long ended() {
        return ended.get();
    }
}
