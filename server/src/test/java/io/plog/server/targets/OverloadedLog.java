package io.plog.server.targets;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.IntToLongFunction;

/**
 * A log that forces groups on a device of given costs, in a time of its own: who takes what when is as in the real one. Each
 * request that {@link ExpectedWait} would refuse stays in the queue as a shadow without a weight, so that it is known when it
 * would have been answered.
 */
final class OverloadedLog {
    static final int GROUP_RECORDS = 4_096;
    static final long GROUP_BYTES = 4 << 20;
    private static final int LANES = 2;
    private static final int ENVELOPE = 64;
    private static final int BLOCK = 4_096;

    /** @param waitNanos how long it took until it was answered, or would have been */
    record Outcome(boolean refused, long arrival, long waitNanos) {}

    private record Request(boolean refused, long arrival, int bytes) {}

    private static final class Group {
        private final List<Request> requests = new ArrayList<>();
        private final long begun;
        private int records;
        private long payload;
        private long encoded;
        private long doneAt;

        Group(long begun) {
            this.begun = begun;
        }
    }

    private final ExpectedWait wait;
    private final long forceNanos;
    private final double nanosPerByte;
    private final IntToLongFunction stall;
    private final Deque<Request> waiting = new ArrayDeque<>();
    private final Deque<Group> underWay = new ArrayDeque<>(); // in the order of the log
    private final PriorityQueue<Long> ends = new PriorityQueue<>();
    private final List<Outcome> outcomes = new ArrayList<>();
    private long sliceNanos = 1;
    private long deviceFreeAt;
    private long now;
    private int groups;
    private int waitingRecords;
    private int queuedRecords;
    private long queuedBytes;

    /**
     * @param forceNanos what each group costs
     * @param nanosPerByte what each of its bytes costs besides; the device writes one after the other, and forces at once
     * @param stall how much longer the force of the group with this number takes, from 0
     */
    OverloadedLog(ExpectedWait wait, long forceNanos, double nanosPerByte, IntToLongFunction stall) {
        this.wait = wait;
        this.forceNanos = forceNanos;
        this.nanosPerByte = nanosPerByte;
        this.stall = stall;
    }

    /** The device gives out its time in slices, as one that is limited does: at once as long as there is some, then not till the next. */
    OverloadedLog inSlicesOf(long nanos) {
        sliceNanos = nanos;
        return this;
    }

    /** What a log with these costs is asked. */
    static ExpectedWait waitOf(long limitNanos) {
        return new ExpectedWait(limitNanos, GROUP_RECORDS, GROUP_BYTES, LANES);
    }

    /** A request arrives, not before the one before it. */
    void arrive(long at, int bytes) {
        advance(at);
        boolean refused = wait.isTooLong(queuedRecords, queuedBytes, at);
        waiting.add(new Request(refused, at, bytes));
        if (!refused) {
            queuedRecords++;
            queuedBytes += bytes;
            waitingRecords++;
        }
        begin();
    }

    /** Lets everything come to its end, and says what became of each request. */
    List<Outcome> outcomes() {
        advance(Long.MAX_VALUE);
        return outcomes;
    }

    long now() {
        return now;
    }

    private void advance(long to) {
        while (!ends.isEmpty() && ends.peek() <= to) {
            now = ends.remove();
            while (!underWay.isEmpty() && underWay.peek().doneAt <= now) {
                acknowledge(underWay.remove());
            }
            begin();
        }
        now = to == Long.MAX_VALUE ? now : to;
    }

    private void acknowledge(Group group) {
        wait.forced(group.encoded, group.doneAt - group.begun, queuedRecords - group.records, now);
        queuedRecords -= group.records;
        queuedBytes -= group.payload;
        group.requests.forEach(each -> outcomes.add(new Outcome(each.refused, each.arrival, now - each.arrival)));
    }

    /** The lanes take what waits, by the rule of the log's BatchFormer. */
    private void begin() {
        int active = ends.size();
        int underWayRecords = underWay.stream().mapToInt(group -> group.records).sum();
        while (active < LANES && waitingRecords >= (active == 0 ? 1 : Math.max(2, underWayRecords))) {
            Group group = take();
            underWay.add(group);
            ends.add(group.doneAt);
            underWayRecords += group.records;
            active++;
        }
        if (active == 0) {
            for (Request shadow = waiting.poll(); shadow != null; shadow = waiting.poll()) {
                long alone = forceNanos + (long) (shadow.bytes * nanosPerByte);
                outcomes.add(new Outcome(true, shadow.arrival, now + alone - shadow.arrival));
            }
        }
    }

    private Group take() {
        Group group = new Group(now);
        long length = 0;
        while (!waiting.isEmpty()) {
            Request next = waiting.peek();
            if (!next.refused) {
                if (group.records == GROUP_RECORDS || (group.records > 0 && group.payload + next.bytes > GROUP_BYTES)) {
                    break;
                }
                group.records++;
                group.payload += next.bytes;
                length += next.bytes + ENVELOPE;
            }
            group.requests.add(waiting.remove());
        }
        waitingRecords -= group.records;
        group.encoded = (length + BLOCK - 1) / BLOCK * BLOCK;
        deviceFreeAt = Math.max(now, deviceFreeAt) + (long) (group.encoded * nanosPerByte);
        long written = Math.max(now, deviceFreeAt / sliceNanos * sliceNanos);
        group.doneAt = written + forceNanos + stall.applyAsLong(groups++);
        return group;
    }
}
