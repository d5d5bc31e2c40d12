package io.plog.server.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.ReferenceCountUtil;
import io.plog.protocol.ProtocolException;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.RequestRecord;
import io.plog.protocol.Status;
import io.plog.server.access.Rights;
import io.plog.server.state.ClientKind;
import io.plog.server.targets.RecordLog;
import io.plog.server.targets.Target;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of each request of a connection: it is refused, executed and answered at once if it is not logged, or
 * handed to the {@link ServerDesign}, which says where it waits for its force. One that is a repeat is not logged again: see
 * {@code TargetState.admit}.
 *
 * <p>Event loop only.
 */
final class Dispatcher {
    private final ServerContext server;
    private final PendingRequest.Origin origin;
    private final Throttle throttle;
    private final boolean takesAllIds;
    private Rights rights = Rights.NONE;

    /** @param takesAllIds whether clients may have ids that the server makes up; otherwise such ids are refused */
    Dispatcher(ServerContext server, PendingRequest.Origin origin, Throttle throttle, boolean takesAllIds) {
        this.server = server;
        this.origin = origin;
        this.throttle = throttle;
        this.takesAllIds = takesAllIds;
    }

    void allow(Rights given) {
        rights = given;
    }

    /** Takes the frame over: it is released here, or with its {@link PendingRequest}. */
    void dispatch(ChannelHandlerContext ctx, ServerDesign.Serving by, ByteBuf frame, long arrivedNanos)
            throws ProtocolException {
        boolean kept = false;
        try {
            RequestHeader.checkReserved(frame);
            int id = RequestHeader.target(frame);
            Target target = server.target(id);
            if (target == null) {
                server.meters().unknownTarget();
                refuse(ctx, frame, arrivedNanos, Status.UNKNOWN_TARGET, "the server has no target " + id);
                return;
            }
            Target.Phase phase = target.phase();
            boolean logged = target.isLogged() && !RequestHeader.isReadOnly(frame);
            Refusal refusal = reasonToRefuse(frame, phase, logged);
            if (refusal != null) {
                target.meters().refused(refusal.status());
                refuse(ctx, frame, arrivedNanos, refusal.status(), refusal.sentence());
            } else {
                kept = true;
                PendingRequest request = take(ctx, phase, frame, arrivedNanos);
                if (logged || by.takesUnlogged()) {
                    by.take(request);
                    throttle.update(ctx.channel());
                } else {
                    request.executeUnlogged();
                    request.answerLater();
                }
            }
        } finally {
            if (!kept) {
                frame.release();
            }
        }
    }

    /** Why a request is not even tried. */
    private record Refusal(Status status, String sentence) {}

    private @Nullable Refusal reasonToRefuse(ByteBuf frame, Target.Phase phase, boolean logged) {
        Target target = phase.target();
        boolean readOnly = RequestHeader.isReadOnly(frame);
        if (RequestHeader.hasUnknownFlags(frame) || RequestHeader.recordKind(frame) != RequestRecord.KIND) {
            return new Refusal(
                    Status.UNSUPPORTED,
                    "this version takes the flag " + RequestHeader.FLAG_READ_ONLY + " (read-only) and records of kind "
                            + RequestRecord.KIND + " only");
        }
        if (!(readOnly ? rights.reads() : rights.mayAppend(target.name()))) {
            return new Refusal(
                    Status.NOT_ALLOWED,
                    "this client may not " + (readOnly ? "read" : "append to target " + target.name()));
        }
        if (origin.isDraining()) {
            return new Refusal(Status.SHUTTING_DOWN, "the server is closing");
        }
        String elsewhere = readOnly ? phase.state().notServing() : null;
        if (elsewhere != null) {
            return new Refusal(Status.NOT_SERVING, elsewhere); // what this server knows of the state may be old
        }
        if (readOnly && !phase.mayRead(frame)) {
            return new Refusal(
                    Status.UNSUPPORTED,
                    "the service " + phase.state().service().name() + " of target " + target.name()
                            + " does not take this request as read-only: send it without the flag, to be logged");
        }
        if (logged && !takesAllIds && ClientKind.of(RequestHeader.client(frame)) != ClientKind.BINARY) {
            return new Refusal(
                    Status.UNSUPPORTED,
                    "the client id " + Long.toUnsignedString(RequestHeader.client(frame))
                            + " is one of those that the server makes up for its HTTP port: choose another");
        }
        if (!readOnly && RequestHeader.payloadBytes(frame) > target.maxPayloadBytes()) {
            return new Refusal(
                    Status.TOO_LARGE,
                    "the log of target " + target.name() + " takes payloads of at most " + target.maxPayloadBytes()
                            + " bytes");
        }
        String wait = logged ? tooLongWait(phase) : null;
        return wait == null ? null : new Refusal(Status.OVERLOADED, wait);
    }

    /**
     * Beyond its capacity a server refuses at once what it would answer late. It still takes one request of each connection, so
     * that no client is shut out by others that send more, and clients that wait for each answer are never refused.
     */
    private @Nullable String tooLongWait(Target.Phase phase) {
        RecordLog log = phase.log();
        return log == null || throttle.outstanding() == 0 ? null : log.tooLongWait();
    }

    private PendingRequest take(ChannelHandlerContext ctx, Target.Phase phase, ByteBuf frame, long arrivedNanos) {
        ByteBuf reply = null;
        try {
            reply = newReply(ctx, frame);
            PendingRequest request = new PendingRequest(origin, phase, frame, reply, arrivedNanos);
            throttle.began(request.bytes());
            return request;
        } catch (Throwable e) {
            frame.release();
            ReferenceCountUtil.release(reply);
            throw e;
        }
    }

    private void refuse(ChannelHandlerContext ctx, ByteBuf frame, long arrivedNanos, Status status, String sentence) {
        ByteBuf reply = ReplyHeader.refusal(newReply(ctx, frame), status, sentence);
        ReplyHeader.setResidenceNanos(reply, System.nanoTime() - arrivedNanos);
        origin.reply(ctx, reply);
    }

    /** A reply as long as the request, its header written and its payload to be filled in. */
    private static ByteBuf newReply(ChannelHandlerContext ctx, ByteBuf request) {
        int bytes = request.readableBytes();
        ByteBuf reply = ctx.alloc().ioBuffer(bytes, bytes);
        ReplyHeader.begin(reply, request);
        return reply.writerIndex(bytes);
    }
}
