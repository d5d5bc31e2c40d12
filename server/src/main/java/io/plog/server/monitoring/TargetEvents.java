package io.plog.server.monitoring;

import io.plog.host.events.Event;
import io.plog.host.events.EventKind;
import io.plog.host.events.EventStore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Notes what one target's log and checkpoints did, if it took long and somebody records. The usual case costs one
 * comparison on the log's threads; an event takes a lock that is held for well under a microsecond.
 */
public final class TargetEvents {
    /** Of a target whose events are not recorded. */
    public static final TargetEvents NONE = new TargetEvents("", () -> null);

    private static final long SLOW_BATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final String target;
    private final Supplier<@Nullable EventStore> store;

    /** @param store where events go now; {@code null} for nowhere */
    TargetEvents(String target, Supplier<@Nullable EventStore> store) {
        this.target = target;
        this.store = store;
    }

    /** A batch is durable, just now. */
    public void batchForced(int records, long writeNanos, long forceNanos) {
        long nanos = writeNanos + forceNanos;
        if (nanos >= SLOW_BATCH_NANOS) {
            EventStore to = store.get();
            if (to != null) {
                // A builder, since the first use of a format or of the + operator loads classes for milliseconds.
                StringBuilder detail = new StringBuilder(target).append(": ").append(records);
                detail.append(records == 1 ? " record, write " : " records, write ")
                        .append(writeNanos / 1000);
                detail.append(" µs, force ").append(forceNanos / 1000).append(" µs");
                to.add(Event.of(EventKind.FORCE, System.nanoTime() - nanos, nanos, detail.toString()));
            }
        }
    }

    public void segmentChanged(long segment, long nanos) {
        add(EventKind.SEGMENT_CHANGE, nanos, " to segment ", segment, "");
    }

    public void segmentPrepared(long segment, long nanos) {
        add(EventKind.SEGMENT_PREPARATION, nanos, " of segment ", segment, "");
    }

    public void checkpointSaved(long nanos, long bytes) {
        add(EventKind.CHECKPOINT, nanos, " of ", bytes, " bytes");
    }

    public void takenOver(long nanos, long records) {
        add(EventKind.TAKEOVER, nanos, " with ", records, " records replayed");
    }

    private void add(EventKind kind, long nanos, String before, long number, String after) {
        EventStore to = store.get();
        if (to != null) {
            String detail = target.concat(before).concat(Long.toString(number)).concat(after);
            to.add(Event.of(kind, System.nanoTime() - nanos, nanos, detail));
        }
    }
}
