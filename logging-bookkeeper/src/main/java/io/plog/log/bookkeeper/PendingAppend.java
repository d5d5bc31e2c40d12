package io.plog.log.bookkeeper;

import io.plog.log.Append;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** An append without an outcome: its entry, with room for the header, and how far it got. Guarded by its {@link QuorumCommit}. */
final class PendingAppend {
    final Append append;
    final ByteBuffer entry;
    final int payloadBytes;
    final int payloadCrc;
    final long calledNanos;

    /** Its thread waits until the outcome was told; null if none does. */
    final @Nullable AppendWaiter waiter;

    long index;
    long sentNanos;
    long sentWallSeconds;
    boolean sent;
    volatile boolean stored; // by the ack quorum

    PendingAppend(
            Append append,
            @Nullable AppendWaiter waiter,
            ByteBuffer entry,
            int payloadBytes,
            int payloadCrc,
            long calledNanos) {
        this.append = append;
        this.waiter = waiter;
        this.entry = entry;
        this.payloadBytes = payloadBytes;
        this.payloadCrc = payloadCrc;
        this.calledNanos = calledNanos;
    }
}
