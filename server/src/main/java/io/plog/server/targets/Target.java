package io.plog.server.targets;

import io.netty.buffer.ByteBuf;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import io.plog.protocol.TargetDescription;
import io.plog.server.service.Execution;
import io.plog.server.service.Service;
import io.plog.server.state.TargetState;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One target at work, for some time: a standby is replaced by one that serves, and that by a standby again. Safe for any thread.
 *
 * @param id its number in the protocol, 0 for the first
 * @param name as the options name it
 * @param force what its replies wait for
 * @param facts what clients learn about it
 * @param log null if it answers without logging
 * @param maxPayloadBytes the longest payload that its log takes; segments bound it
 * @param meters count its requests
 * @param term how many targets came before in this one's place: others with the same description
 * @param turn held by the thread whose request is in the log, where each is to be forced by itself; first come, first served
 */
public record Target(
        int id,
        String name,
        String force,
        Map<String, String> facts,
        TargetState state,
        @Nullable RecordLog log,
        int maxPayloadBytes,
        TargetMeters meters,
        int term,
        ReentrantLock turn) {
    /** When a batch takes this long, the target is not ready: requests should go elsewhere. */
    private static final long STALLED_NANOS = 10_000_000_000L;

    /** What a callback waits for may be itself, and until it returns nothing is reported. */
    private static final long CALLBACK_NANOS = 1_000_000_000L;

    /** With a turn of its own. */
    public Target(
            int id,
            String name,
            String force,
            Map<String, String> facts,
            TargetState state,
            @Nullable RecordLog log,
            int maxPayloadBytes,
            TargetMeters meters,
            int term) {
        this(id, name, force, facts, state, log, maxPayloadBytes, meters, term, new ReentrantLock(true));
    }

    /** One of its requests was refused. */
    public void refused(Status status) {
        meters.refused(status);
        if (status == Status.LOG_FULL && log != null) {
            log.refusedForSpace();
        }
    }

    /**
     * Executes a request apart from any log: without one, or of a stateless service. If that throws, the target is failed
     * for good.
     *
     * @return whether the reply holds an answer
     */
    public boolean execute(ByteBuf request, ByteBuf reply) {
        return apart(request, reply, Service::execute);
    }

    /** The same for a request that {@link #mayRead}, also of a service with state: its state stays as it is. */
    public boolean read(ByteBuf request, ByteBuf reply) {
        return apart(request, reply, Service::read);
    }

    /** Whether the service takes this request, which is flagged as read-only, without its being logged. */
    public boolean mayRead(ByteBuf request) {
        try {
            return state.service()
                    .mayRead(request, request.readerIndex() + RequestHeader.BYTES, RequestHeader.payloadBytes(request));
        } catch (Throwable t) {
            state.fail(t);
            return true; // it proceeds, and gets the answer that the target failed
        }
    }

    private boolean apart(ByteBuf request, ByteBuf reply, Execution execution) {
        if (state.failure() != null) {
            return false;
        }
        try {
            if (state.isStateless()) {
                execution.timed(state.service(), request, reply);
            } else {
                synchronized (state.lock()) { // without a log there is no other order than that of arrival here
                    execution.timed(state.service(), request, reply);
                }
            }
            return true;
        } catch (Throwable t) {
            state.fail(t);
            return false;
        }
    }

    /**
     * Why what was read may be old, in a sentence without an end; {@code null} if it is certain that it was not when this is called. To be
     * asked after a read, and before it is answered.
     */
    public @Nullable String outdated() {
        return log == null || log.isSurelyHeld()
                ? null
                : "target " + name
                        + " has not heard from what keeps its log's queue for a while, and another server may have"
                        + " the log by now";
    }

    /** The first problem found, a part of a sentence; {@code null} if there is none. */
    public @Nullable String problem() {
        String problem = log == null ? null : log.problem();
        if (problem == null) {
            problem = outdated();
        }
        if (problem != null) {
            return problem;
        }
        if (log != null && log.stalledNanos() > STALLED_NANOS) {
            return "the log of target " + name + " has been writing and forcing the same batch for "
                    + log.stalledNanos() / 1_000_000_000 + " s; look at its disk";
        }
        if (log != null && log.callbackNanos() > CALLBACK_NANOS) {
            return "the service of target " + name + " has not returned from one record for "
                    + log.callbackNanos() / 1_000_000_000 + " s";
        }
        return state.failure() == null ? null : state.failedSentence();
    }

    /** What clients learn about it. */
    public TargetDescription description() {
        return new TargetDescription(id, name, force, facts);
    }
}
