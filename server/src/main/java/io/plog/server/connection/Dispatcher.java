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
import io.plog.server.state.Session;
import io.plog.server.targets.RecordLog;
import io.plog.server.targets.Target;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of each request of a connection: it is refused, executed and answered at once if it is not logged, or
 * handed to the {@link ServerDesign}, which says where it waits for its force. One that is a repeat is not logged again: see
 * {@code TargetState.admit}.
 *
 * <p>Everything but {@link #admit} happens on the connection's event loop.
 */
final class Dispatcher {
    private final ServerContext server;
    private final PendingRequest.Origin origin;
    private final Throttle throttle;
    private final boolean takesAllIds;
    private final @Nullable Session[] sessions; // of the last request to each target; of the thread that admits
    private final int[] terms; // of the targets when that was
    private Rights rights = Rights.NONE;

    /** @param takesAllIds whether clients may have ids that the server makes up; otherwise such ids are refused */
    Dispatcher(ServerContext server, PendingRequest.Origin origin, Throttle throttle, boolean takesAllIds) {
        this.server = server;
        this.origin = origin;
        this.throttle = throttle;
        this.takesAllIds = takesAllIds;
        this.sessions = new @Nullable Session[server.options().targets().size()];
        this.terms = new int[sessions.length];
    }

    /** From now on the client may do this. */
    void allow(Rights given) {
        rights = given;
    }

    /**
     * Takes the frame over: it is released here, or with its {@link PendingRequest}.
     *
     * @param by what serves the connection
     * @param arrivedNanos when the frame was whole, of {@link System#nanoTime}
     */
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
            boolean logged = target.log() != null && !RequestHeader.isReadOnly(frame);
            Refusal refusal = reasonToRefuse(frame, target, logged);
            if (refusal != null) {
                target.meters().refused(refusal.status());
                refuse(ctx, frame, arrivedNanos, refusal.status(), refusal.sentence());
            } else if (logged || by.takesUnlogged()) {
                kept = true;
                handOver(ctx, by, target, frame, arrivedNanos);
            } else {
                answerUnlogged(ctx, target, frame, arrivedNanos);
            }
        } finally {
            if (!kept) {
                frame.release();
            }
        }
    }

    /** Why a request is not even tried. */
    private record Refusal(Status status, String sentence) {}

    private @Nullable Refusal reasonToRefuse(ByteBuf frame, Target target, boolean logged) {
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
        String elsewhere = readOnly ? target.state().notServing() : null;
        if (elsewhere != null) {
            return new Refusal(Status.NOT_SERVING, elsewhere); // what this server knows of the state may be old
        }
        if (readOnly && !target.mayRead(frame)) {
            return new Refusal(
                    Status.UNSUPPORTED,
                    "the service " + target.state().service().name() + " of target " + target.name()
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
        String wait = logged ? tooLongWait(target) : null;
        return wait == null ? null : new Refusal(Status.OVERLOADED, wait);
    }

    /**
     * Beyond its capacity a server refuses at once what it would answer late. It still takes one request of each connection, so
     * that no client is shut out by others that send more, and clients that wait for each answer are never refused.
     */
    private @Nullable String tooLongWait(Target target) {
        RecordLog log = target.log();
        return log == null || throttle.outstanding() == 0 ? null : log.tooLongWait();
    }

    private void handOver(
            ChannelHandlerContext ctx, ServerDesign.Serving by, Target target, ByteBuf frame, long arrivedNanos) {
        PendingRequest pending;
        ByteBuf reply = null;
        try {
            reply = newReply(ctx, frame);
            pending = new PendingRequest(origin, target, frame, reply, arrivedNanos);
        } catch (Throwable e) {
            frame.release();
            ReferenceCountUtil.release(reply);
            throw e;
        }
        throttle.began(pending.bytes());
        by.take(pending);
        throttle.update(ctx.channel());
    }

    /**
     * Whether a request is new and has to be appended. Otherwise it gets its outcome without that. Called on the thread
     * that takes this connection's requests to their logs, always the same one.
     */
    boolean admit(PendingRequest request, Target target) {
        int id = target.id();
        Session hint = terms[id] == target.term() ? sessions[id] : null; // a session is of one machine
        boolean isNew = target.state().admit(request, hint);
        if (isNew) {
            sessions[id] = request.session;
            terms[id] = target.term();
        }
        return isNew;
    }

    private void answerUnlogged(ChannelHandlerContext ctx, Target target, ByteBuf frame, long arrivedNanos) {
        ByteBuf reply = newReply(ctx, frame);
        boolean readOnly = RequestHeader.isReadOnly(frame);
        boolean done = readOnly ? target.read(frame, reply) : target.execute(frame, reply);
        String outdated = done && readOnly ? target.outdated() : null;
        if (outdated != null) {
            target.meters().refused(Status.NOT_SERVING);
            reply = ReplyHeader.refusal(reply, Status.NOT_SERVING, outdated);
        } else if (done) {
            target.meters().answeredUnlogged(System.nanoTime() - arrivedNanos, readOnly);
        } else {
            target.meters().refused(Status.FAILED);
            reply = ReplyHeader.refusal(reply, Status.FAILED, target.state().failedSentence());
        }
        ReplyHeader.setResidenceNanos(reply, System.nanoTime() - arrivedNanos);
        origin.reply(ctx, reply);
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
