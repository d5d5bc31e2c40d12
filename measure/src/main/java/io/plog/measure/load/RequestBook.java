package io.plog.measure.load;

import io.netty.buffer.ByteBuf;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.SampleMemory;
import io.plog.measure.samples.Samples;
import org.jspecify.annotations.Nullable;

/** Every request of a load from when it is due, or sent, until its sample is written. For the driving thread. */
final class RequestBook {
    /** {@link Column#STATUS} where no reply came. */
    static final int NO_REPLY = -1;

    /** {@link Column#STATUS} of a reply that was not right. */
    static final int WRONG_REPLY = -2;

    final RequestSlots inFlight;
    final LoadCounts counts = new LoadCounts();

    private final LoadPlan plan;
    private final RequestDraw draw;
    private final SampleSpool spool;
    private final long warmUpNanos;
    private final long countedNanos;
    private long startNanos;
    private long countedSends;

    RequestBook(LoadPlan plan, SampleSpool spool) {
        this.plan = plan;
        this.spool = spool;
        draw = new RequestDraw(plan.mix(), plan.loggedShare(), plan.seed() * 1_000_003);
        inFlight = new RequestSlots(plan.mode() == LoadMode.CLOSED ? plan.connections() * plan.outstanding() : 4096);
        warmUpNanos = plan.warmUp().toNanos();
        countedNanos = plan.duration().toNanos();
    }

    /** The run's time 0. */
    void startAt(long nanos) {
        startNanos = nanos;
    }

    /** Draws a request and takes a slot for it. */
    int take(long atNanos) {
        int slot = inFlight.take();
        counts.outstanding(inFlight.taken());
        draw.next();
        inFlight.payloadBytes[slot] = draw.payloadBytes();
        inFlight.readOnly[slot] = draw.readOnly();
        inFlight.intendedNanos[slot] = atNanos;
        long since = atNanos - startNanos - warmUpNanos;
        inFlight.warmUp[slot] = since < 0;
        inFlight.block[slot] = since < 0 ? 0 : block(since);
        return slot;
    }

    private int block(long sinceNanos) {
        double part =
                plan.requests() > 0 ? (double) countedSends++ / plan.requests() : (double) sinceNanos / countedNanos;
        return (int) Math.min(plan.blocks() - 1L, (long) (part * plan.blocks()));
    }

    /** Whether as many were taken as the plan counts; never, if its time ends it. */
    boolean isComplete() {
        return plan.requests() > 0 && countedSends >= plan.requests();
    }

    /** Writes the sample of a request and gives its slot back; without a reply for one that none came to. */
    void record(LoadConnection connection, int slot, int status, @Nullable ByteBuf reply, long now) {
        long sent = inFlight.sentNanos[slot];
        Samples samples = spool.next();
        samples.begin();
        samples.set(Column.BLOCK, inFlight.block[slot]);
        samples.set(Column.PHASE, inFlight.warmUp[slot] ? 1 : 0);
        samples.set(Column.CONNECTION, connection.index);
        samples.set(Column.INTENDED, (plan.mode().isScheduled() ? inFlight.intendedNanos[slot] : sent) - startNanos);
        samples.set(Column.SENT, sent - startNanos);
        samples.set(Column.END_TO_END, now - sent);
        samples.set(Column.STATUS, status);
        samples.set(Column.KIND, inFlight.readOnly[slot] ? 1 : 0);
        samples.set(Column.PAYLOAD_BYTES, inFlight.payloadBytes[slot]);
        samples.set(Column.HELD, inFlight.heldNanos[slot]);
        samples.set(Column.CONNECT, inFlight.connectNanos[slot]);
        if (reply != null) {
            samples.setServerSide(reply);
            counts.answered.setRelease(counts.answered.getPlain() + 1);
        }
        inFlight.give(slot);
        counts.outstanding(inFlight.taken());
    }

    /** Records what was under way on a connection as without reply: it may have been executed. */
    void lose(LoadConnection connection, long now) {
        for (int slot = connection.underWay.removeAny(); slot >= 0; slot = connection.underWay.removeAny()) {
            record(connection, slot, NO_REPLY, null, now);
        }
    }

    /** Records everything of a connection as without reply: what is under way is lost, what is due was never sent. */
    void giveUp(LoadConnection connection, long now) {
        lose(connection, now);
        while (!connection.due.isEmpty()) {
            int slot = connection.due.poll();
            inFlight.sentNanos[slot] = now;
            inFlight.heldNanos[slot] = now - inFlight.intendedNanos[slot];
            inFlight.connectNanos[slot] = 0;
            record(connection, slot, NO_REPLY, null, now);
        }
    }

    /** Why no more samples can be kept, in a sentence; empty if they can. */
    String failure() {
        Exception failure = spool.failure();
        if (failure != null) {
            return "the samples could not be written: " + failure.getMessage();
        }
        return spool.isFull()
                ? "there are " + spool.count() + " samples, " + SampleMemory.advice() + ", or load for a shorter time"
                : "";
    }
}
