package io.plog.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.plog.protocol.Chain;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import org.jspecify.annotations.Nullable;

/**
 * A request between its arrival and its reply: the log's node, the outcome and the reply in one object.
 *
 * <p>It owns both buffers. Made and answered on the connection's event loop; in between the log's thread tells the outcome,
 * which it hands over through {@link Connection#finished}. A stateless service executes it on the event loop while the log
 * writes and forces, one with state on the log's thread when it is durable.
 */
final class PendingRequest extends LoggedRequest {
    private static final Execution EXECUTE = Service::execute;

    private final Connection connection;
    private final Target target;
    private final ByteBuf request;
    private final ByteBuf reply;
    private final long arrivedNanos;

    // Written by whoever tells the outcome, before it hands this over; read by the event loop afterwards.
    private Status status = Status.OK;
    private @Nullable String sentence;
    private @Nullable RecordedAnswer recorded;

    private boolean executionFailed; // of a stateless service; of the event loop only

    @Nullable
    PendingRequest nextFinished;

    PendingRequest(Connection connection, Target target, ByteBuf request, ByteBuf reply, long arrivedNanos) {
        super(target.machine(), RequestHeader.client(request), RequestHeader.request(request));
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

    @Override
    int payloadBytes() {
        return RequestHeader.payloadBytes(request);
    }

    @Override
    int recordCrc() {
        return Chain.crc32c(
                request, request.readerIndex() + RequestHeader.RECORD, request.readableBytes() - RequestHeader.RECORD);
    }

    /**
     * Executes the request while the log writes and forces, if the service allows that. One that was refused at once is not
     * executed; a refusal that the log's thread tells at this very moment may be missed, which costs only a needless
     * execution.
     */
    void executeMeanwhile() {
        if (target.machine().isStateless() && status == Status.OK) {
            executionFailed = !target.execute(request, reply);
        }
    }

    @Override
    void execute(Service service) {
        EXECUTE.timed(service, request, reply);
    }

    @Override
    byte[] copyOfAnswer() {
        return ByteBufUtil.getBytes(reply, reply.readerIndex() + ReplyHeader.BYTES, payloadBytes());
    }

    @Override
    void answered() {
        connection.finished(this);
    }

    @Override
    void repeated(RecordedAnswer answer) {
        recorded = answer;
        connection.finished(this);
    }

    @Override
    void refused(Status why, String text) {
        status = why;
        sentence = text;
        connection.finished(this);
    }

    /** Finishes the reply, whose owner is then the caller, and lets the request go. */
    ByteBuf takeReply() {
        RecordedAnswer answer = recorded;
        if (status == Status.OK && answer != null) {
            repeat(answer);
        } else if (status == Status.OK) {
            ReplyHeader.setLogged(
                    reply, index(), waitingNanos(), batchWaitNanos(), writeNanos(), forceNanos(), batchRecords());
        }
        if (status == Status.OK && executionFailed) {
            status = Status.FAILED;
            sentence = target.machine().failedSentence();
        }
        if (status != Status.OK) {
            ReplyHeader.setExecutionNanos(reply, 0);
            ReplyHeader.setRefusal(reply, status, String.valueOf(sentence));
        }
        request.release();
        ReplyHeader.setResidenceNanos(reply, System.nanoTime() - arrivedNanos);
        return reply;
    }

    private void repeat(RecordedAnswer answer) {
        byte[] bytes = answer.answer();
        if (bytes == null) {
            executionFailed = !target.execute(request, reply);
            ReplyHeader.setExecutionNanos(reply, 0);
        } else {
            reply.setBytes(reply.readerIndex() + ReplyHeader.BYTES, bytes);
        }
        ReplyHeader.setLogged(reply, answer.index(), 0, 0, 0, 0, 0);
    }

    /** Counts it, after the reply is on its way. */
    void record() {
        if (status != Status.OK) {
            target.meters().refused(status);
        } else if (recorded != null) {
            target.meters().repeated();
        } else {
            target.meters().answered(loggingNanos(), waitingNanos());
        }
    }
}
