package io.plog.measure.load;

import io.netty.buffer.ByteBuf;
import io.plog.measure.Resumption;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.Mix;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.protocol.Status;
import java.util.ArrayDeque;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The requests of a load: draws them, and writes their samples. For the driving thread. */
final class LoadRequests {
    final LoadCounts counts = new LoadCounts();

    private final Load plan;
    private final RequestDraw draw;
    private final SampleSpool spool;
    private final long warmUpNanos;
    private final long countedNanos;
    private long startNanos;
    private final Resumption before;
    private final long doneNanos;
    private long countedSends;
    private final ArrayDeque<LoadRequest> free = new ArrayDeque<>();
    private int taken;

    /** @param before what was measured of the load before */
    LoadRequests(Load plan, Resumption before, SampleSpool spool) {
        this.plan = plan;
        this.before = before;
        this.spool = spool;
        countedSends = before.count();
        draw = new RequestDraw(plan.mix(), plan.loggedShare(), plan.seed() * 1_000_003 + countedSends);
        warmUpNanos = plan.span().warmUpNanos();
        doneNanos = doneNanos(plan, before);
        countedNanos = plan.span().durationNanos();
    }

    /** A sample's {@link Column#STATUS} as people read it. */
    static String statusText(long code) {
        if (code == Samples.NO_REPLY || code == Samples.WRONG_REPLY) {
            return code == Samples.NO_REPLY ? "no reply" : "wrong reply";
        }
        Status status = Status.ofCode((int) code);
        return status != null ? status.name() : code < 100 ? "status " + code : "HTTP " + code;
    }

    void startAt(long nanos) {
        startNanos = nanos;
    }

    /** How much of its time a load had counted before; what ends after a number of requests goes on behind the last answer. */
    static long doneNanos(Load plan, Resumption before) {
        if (before.isOfNothing()) {
            return 0;
        }
        double nextNanos = plan.isScheduled() ? 1e9 / plan.loop().ratePerSecond() : 0;
        long until = plan.span().requests() > 0 ? before.lastEndNanos() : before.lastSentNanos() + (long) nextNanos;
        return until - plan.span().warmUpNanos();
    }

    LoadRequest take(long atNanos) {
        LoadRequest request = free.isEmpty() ? new LoadRequest() : free.pop();
        taken++;
        counts.outstanding(taken);
        draw.next(request);
        request.intendedNanos = atNanos;
        long since = atNanos - startNanos - warmUpNanos;
        request.warmUp = since < 0;
        request.block = since < 0 ? 0 : block(since);
        return request;
    }

    /** How many are due or under way. */
    int taken() {
        return taken;
    }

    private int block(long sinceNanos) {
        double part = plan.span().requests() > 0
                ? (double) countedSends++ / plan.span().requests()
                : (double) (doneNanos + sinceNanos) / countedNanos;
        return (int) Math.min(plan.blocks() - 1L, (long) (part * plan.blocks()));
    }

    /** Whether as many were taken as the plan counts; never, if its time ends it. */
    boolean isComplete() {
        return plan.span().requests() > 0 && countedSends >= plan.span().requests();
    }

    /** Writes the sample of a request; without a reply for one that none came to. */
    void record(LoadConnection connection, LoadRequest request, int status, @Nullable ByteBuf reply, long now) {
        long sent = request.sentNanos;
        long clock = startNanos - doneNanos;
        Samples samples = spool.next();
        samples.begin();
        samples.set(Column.BLOCK, request.block);
        samples.set(Column.PHASE, !request.warmUp ? 0 : before.isOfNothing() ? Samples.WARM_UP : Samples.AGAIN);
        samples.set(Column.CONNECTION, connection.index);
        samples.set(Column.INTENDED, (plan.isScheduled() ? request.intendedNanos : sent) - clock);
        samples.set(Column.SENT, sent - clock);
        samples.set(Column.END_TO_END, now - sent);
        samples.set(Column.STATUS, status);
        samples.set(Column.KIND, request.readOnly ? 1 : 0);
        samples.set(Column.PAYLOAD_BYTES, request.payloadBytes);
        samples.set(Column.HELD, request.heldNanos);
        samples.set(Column.CONNECT, request.connectNanos);
        if (reply != null) {
            samples.setServerSide(reply);
            counts.answered.setRelease(counts.answered.getPlain() + 1);
        }
        free.push(request);
        taken--;
        counts.outstanding(taken);
    }

    /** Records what was under way on a connection as without reply: it may have been executed. */
    void lose(LoadConnection connection, long now) {
        for (LoadRequest request : connection.underWay.values()) {
            record(connection, request, Samples.NO_REPLY, null, now);
        }
        connection.underWay.clear();
    }

    /** Records everything of a connection as without reply: what is under way is lost, what is due was never sent. */
    void giveUp(LoadConnection connection, long now) {
        lose(connection, now);
        for (LoadRequest request : connection.due) {
            request.sentNanos = now;
            request.heldNanos = now - request.intendedNanos;
            request.connectNanos = 0;
            record(connection, request, Samples.NO_REPLY, null, now);
        }
        connection.due.clear();
    }

    /** Called again and again, so that a slow load is seen while it grows, and keeps what it has when it is killed. */
    void passOn(long now) {
        spool.passOn(now);
    }

    /** Why no more samples can be kept, in a sentence; empty if they can. */
    String failure() {
        Exception failure = spool.failure();
        return failure == null ? "" : "the samples could not be written: " + failure.getMessage();
    }

    /**
     * Draws what each request is: its size, and whether it is to be logged. Independent of each other and of those before, from
     * the seed.
     *
     * <p>For one thread; allocates nothing.
     */
    static final class RequestDraw {
        private final SplittableRandom random;
        private final double loggedShare;
        private final List<Mix.Sizes> sizes;
        private final double weights;

        RequestDraw(Mix mix, double loggedShare, long seed) {
            this.random = new SplittableRandom(seed);
            this.loggedShare = loggedShare;
            sizes = mix.sizes();
            weights = sizes.stream().mapToDouble(Mix.Sizes::weight).sum();
        }

        /** Draws the next one: sets its size and kind. */
        void next(LoadRequest request) {
            double at = random.nextDouble() * weights;
            int i = 0;
            for (; i < sizes.size() - 1 && at >= sizes.get(i).weight(); i++) {
                at -= sizes.get(i).weight();
            }
            int least = sizes.get(i).leastBytes();
            int most = sizes.get(i).mostBytes();
            request.payloadBytes = least == most ? least : (int) random.nextLong(least, (long) most + 1);
            // Drawn in any case, so that sizes do not depend on the share.
            request.readOnly = random.nextDouble() >= loggedShare;
        }
    }
}
