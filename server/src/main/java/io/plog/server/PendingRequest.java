package io.plog.server;

import io.netty.buffer.ByteBuf;
import io.plog.log.Append;
import io.plog.log.LogException;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Transformation;
import org.jspecify.annotations.Nullable;

/**
 * A request between its arrival and its reply: the log's node, the outcome and the reply in one object.
 *
 * <p>It owns both buffers. Made, executed and answered on the connection's event loop; in between the log's thread tells
 * the outcome, which it hands over through {@link Connection#finished}.
 */
final class PendingRequest extends Append {
    private final Connection connection;
    private final Target target;
    private final ByteBuf request;
    private final ByteBuf reply;
    private final long arrivedNanos;

    // Written by whoever tells the outcome, before it hands this over; read by the event loop afterwards.
    private @Nullable LogException failure;

    @Nullable
    PendingRequest nextFinished;

    PendingRequest(Connection connection, Target target, ByteBuf request, ByteBuf reply, long arrivedNanos) {
        this.connection = connection;
        this.target = target;
        this.request = request;
        this.reply = reply;
        this.arrivedNanos = arrivedNanos;
    }

    Target target() {
        return target;
    }

    /** What it holds of memory, for the connection's bound. */
    int bytes() {
        return request.readableBytes();
    }

    /**
     * Executes the request while the log writes and forces. One that was refused at once is not executed; a failure that
     * the log's thread tells at this very moment may be missed, which costs only a needless execution.
     */
    void execute() {
        if (failure == null) {
            execute(request, reply);
        }
    }

    /** Transforms the payload of a request into that of its reply. */
    static void execute(ByteBuf request, ByteBuf reply) {
        long began = System.nanoTime();
        Transformation.invert(
                request,
                request.readerIndex() + RequestHeader.BYTES,
                reply,
                reply.readerIndex() + ReplyHeader.BYTES,
                RequestHeader.payloadBytes(request));
        ReplyHeader.setExecutionNanos(reply, System.nanoTime() - began);
    }

    @Override
    protected void onDurable() {
        connection.finished(this);
    }

    @Override
    protected void onFailed(LogException cause) {
        failure = cause;
        connection.finished(this);
    }

    /** Finishes the reply, whose owner is then the caller, and lets the request go. */
    ByteBuf takeReply() {
        LogException cause = failure;
        if (cause == null) {
            ReplyHeader.setLogged(
                    reply, index(), waitingNanos(), batchWaitNanos(), writeNanos(), forceNanos(), batchRecords());
        } else {
            ReplyHeader.setExecutionNanos(reply, 0);
            ReplyHeader.setRefusal(reply, Refusals.statusOf(cause), Refusals.sentenceOf(cause));
        }
        request.release();
        ReplyHeader.setResidenceNanos(reply, System.nanoTime() - arrivedNanos);
        return reply;
    }

    /** Counts it, after the reply is on its way. */
    void record() {
        LogException cause = failure;
        if (cause == null) {
            target.meters().answered(loggingNanos(), waitingNanos());
        } else {
            target.meters().refused(Refusals.statusOf(cause));
        }
    }
}
