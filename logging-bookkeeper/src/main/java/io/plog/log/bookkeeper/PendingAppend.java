package io.plog.log.bookkeeper;

import io.plog.log.CallerSide;

/** An append without an outcome: its record, and how far it got. Guarded by its {@link QuorumCommit}. */
final class PendingAppend {
    final CallerSide.Taken taken;

    long index;
    long sentNanos;
    long sentWallSeconds;
    boolean sent;
    volatile boolean stored; // by the ack quorum

    PendingAppend(CallerSide.Taken taken) {
        this.taken = taken;
    }
}
