package io.plog.log;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A number that several threads change, on a cache line of its own, so that a change does not invalidate other data in the
 * caches of other processors. 64 bytes are a line on today's processors, which also fetch them in pairs.
 */
final class PaddedCounter extends AtomicLong {
    // Behind the value; what comes before it is the padding of the one made before.
    @SuppressWarnings("unused")
    private long p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
}
