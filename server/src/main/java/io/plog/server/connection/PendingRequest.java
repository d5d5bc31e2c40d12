package io.plog.server.connection;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.plog.log.DurableLog;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import io.plog.server.service.Chain;
import io.plog.server.service.Service;
import io.plog.server.state.LoggedRequest;
import io.plog.server.state.RecordedAnswer;
import io.plog.server.targets.Target;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request between its arrival and its reply: the log's node, the outcome and the reply in one object.
 *
 * <p>It owns both buffers. Made and answered on the connection's event loop; in between the log's thread reports the outcome,
 * which it hands over through {@link Origin#finished}. A stateless service executes it on the event loop while the log
 * writes and forces, one with state on the log's thread when it is durable.
 */
final class PendingRequest extends LoggedRequest {
    /** The connection that requests come from and replies go to. */
    interface Origin {
        /** Whether it takes no more requests. Called on its event loop. */
        boolean isDraining();

        /** The outcome of a request is known. Returns at once; may be called by any thread. */
        void finished(PendingRequest request);

        /**
         * Writes the reply to a request; {@link #flush} has to follow if it is the first since the last one. Called on its event
         * loop.
         *
         * @return whether it is the first
         */
        boolean write(PendingRequest request);

        /** Sends what was written. Called on its event loop. */
        void flush();

        /** Writes a reply that is known at once; it is flushed later. Takes it over. Called on its event loop. */
        void reply(ChannelHandlerContext ctx, ByteBuf reply);
    }

    private static final ByteBuffer[] NO_RECORD = {};

    private final Origin origin;
    private final Target.Phase phase;
    private final ByteBuf request;
    private final ByteBuf reply;
    private final long arrivedNanos;
    private final boolean isReadOnly;
    private final boolean isUnlogged;
    private final ByteBuffer[] record;

    // Written by the thread that reports the outcome, before it hands this over; read by the event loop afterwards.
    private Status status = Status.OK;
    private @Nullable String sentence;
    private @Nullable RecordedAnswer recorded;

    // Of the event loop only.
    private boolean executionFailed; // of a stateless service
    private long residenceNanos; // from its arrival to its reply

    // Used by the thread that waits for the outcome, if one does.
    private boolean isWaitedFor;
    private long waitsSinceNanos;
    private long waitedNanos;

    /** In the {@link RequestStack} that holds it. */
    @Nullable
    PendingRequest next;

    /** Takes both buffers over. */
    PendingRequest(Origin origin, Target.Phase phase, ByteBuf request, ByteBuf reply, long arrivedNanos) {
        super(phase.state(), RequestHeader.client(request), RequestHeader.request(request));
        this.origin = origin;
        this.phase = phase;
        this.request = request;
        this.reply = reply;
        this.arrivedNanos = arrivedNanos;
        this.isReadOnly = RequestHeader.isReadOnly(request);
        this.isUnlogged = isReadOnly || !phase.target().isLogged();
        this.record = isUnlogged ? NO_RECORD : recordOf(request);
    }

    Origin origin() {
        return origin;
    }

    /** How many bytes count against the connection's bound. */
    int bytes() {
        return request.readableBytes();
    }

    @Override
    protected int payloadBytes() {
        return RequestHeader.payloadBytes(request);
    }

    @Override
    protected int recordCrc() {
        return Chain.crc32c(
                request, request.readerIndex() + RequestHeader.RECORD, request.readableBytes() - RequestHeader.RECORD);
    }

    private static ByteBuffer[] recordOf(ByteBuf request) {
        return request.nioBuffers(
                request.readerIndex() + RequestHeader.RECORD, request.readableBytes() - RequestHeader.RECORD);
    }

    // ---- What a design does with it, in this order ----

    /** It waits from now on, if it does not yet, for a thread that takes it to the log. Counts as waiting, as in the log's queue. */
    void waits() {
        if (waitsSinceNanos == 0) {
            waitsSinceNanos = System.nanoTime();
        }
    }

    boolean isUnlogged() {
        return isUnlogged;
    }

    void executeUnlogged() {
        executionFailed = !(isReadOnly ? phase.read(request, reply) : phase.execute(request, reply));
        String outdated = isReadOnly && !executionFailed ? phase.outdated() : null;
        if (outdated != null) {
            status = Status.NOT_SERVING;
            sentence = outdated;
        }
    }

    /** Whether it is new and has to be appended. Otherwise it gets its outcome without that. */
    boolean admit() {
        return phase.state().admit(this);
    }

    /** Appends it. Its outcome is reported later. */
    void append() {
        log().append(this, record);
    }

    /** Appends it and returns when its outcome is known. Waits for its turn before, so that it has a force of its own. */
    void appendAlone() {
        waits();
        phase.target().turn().lock();
        try {
            appendAndWait();
        } finally {
            phase.target().turn().unlock();
        }
    }

    /** Appends it and returns when its outcome is known. It shares its force with all other waiting records. */
    void appendAndWait() {
        isWaitedFor = true;
        waits();
        waitedNanos = System.nanoTime() - waitsSinceNanos;
        log().appendAndWait(this, record);
    }

    /** Hands it over to its connection, which answers it. Called on the thread that waited for the outcome. */
    void finish() {
        origin.finished(this);
    }

    private DurableLog log() {
        return Objects.requireNonNull(phase.log()).records();
    }

    /** Sends the reply at once. On the connection's event loop. */
    void answerHere() {
        origin.write(this);
        origin.flush();
        record();
    }

    /** Writes the reply; it is sent when all that was read has been taken. On the connection's event loop. */
    void answerLater() {
        origin.write(this);
        record();
    }

    /**
     * Executes the request if the service is stateless, while the log writes and forces or when it is done; one with state,
     * or one that waits for the force, executes when the record is durable. One that was refused at once is not executed; a refusal that the log's thread reports
     * at this very moment may be missed, which costs only a needless execution.
     */
    void executeIfStateless() {
        if (status == Status.OK) {
            executeStateless(false);
        }
    }

    private void executeStateless(boolean afterForce) {
        if (phase.state().isStateless() && phase.state().service().executesAfterForce() == afterForce) {
            executionFailed = !phase.execute(request, reply);
        }
    }

    @Override
    protected void execute(Service service) {
        Target.Phase.run(service, false, request, reply);
    }

    @Override
    protected byte[] copyOfAnswer() {
        return ByteBufUtil.getBytes(reply, reply.readerIndex() + ReplyHeader.BYTES, payloadBytes());
    }

    @Override
    protected void answered() {
        if (!isWaitedFor) {
            origin.finished(this);
        }
    }

    @Override
    protected void repeated(RecordedAnswer answer) {
        recorded = answer;
        origin.finished(this);
    }

    @Override
    protected void refused(Status why, String text) {
        status = why;
        sentence = text;
        if (!isWaitedFor) {
            origin.finished(this);
        }
    }

    /** Finishes the reply, whose owner is then the caller, and lets the request go. */
    ByteBuf takeReply() {
        RecordedAnswer answer = recorded;
        if (status == Status.OK && answer != null) {
            repeat(answer);
        } else if (status == Status.OK && !isUnlogged) {
            executeStateless(true); // one with state was executed in log order before
            ReplyHeader.setLogged(
                    reply,
                    index(),
                    waitedNanos + waitingNanos(),
                    batchWaitNanos(),
                    writeNanos(),
                    forceNanos(),
                    batchRecords());
        }
        if (status == Status.OK && executionFailed) {
            status = Status.FAILED;
            sentence = phase.state().failedSentence();
        }
        ByteBuf sent = reply;
        if (status != Status.OK) {
            ReplyHeader.setExecutionNanos(reply, 0);
            sent = ReplyHeader.refusal(reply, status, String.valueOf(sentence));
        }
        request.release();
        residenceNanos = System.nanoTime() - arrivedNanos;
        ReplyHeader.setResidenceNanos(sent, residenceNanos);
        return sent;
    }

    private void repeat(RecordedAnswer answer) {
        byte[] bytes = answer.answer();
        if (bytes == null) {
            executionFailed = !phase.execute(request, reply);
            ReplyHeader.setExecutionNanos(reply, 0);
        } else {
            reply.setBytes(reply.readerIndex() + ReplyHeader.BYTES, bytes);
        }
        ReplyHeader.setLogged(reply, answer.index(), 0, 0, 0, 0, 0);
    }

    /** Counts it, after the reply is on its way. */
    void record() {
        if (status != Status.OK) {
            phase.refused(status);
        } else if (isUnlogged) {
            phase.target().meters().answeredUnlogged(residenceNanos, isReadOnly);
        } else if (recorded != null) {
            phase.target().meters().repeated();
        } else {
            phase.target()
                    .meters()
                    .answered(residenceNanos, waitedNanos + loggingNanos(), waitedNanos + waitingNanos());
        }
    }
}
