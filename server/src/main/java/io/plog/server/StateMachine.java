package io.plog.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.log.LogException;
import io.plog.protocol.RequestRecord;
import io.plog.protocol.Status;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One target's state: its service, and what it answered. Both change in log order only, when a record is durable, or is
 * replayed; so they are a function of the log, and nothing ever has to be undone. What is in flight is kept apart and is
 * gone with the process.
 *
 * <p>{@link #admit} is called on event loops and takes the client's monitor only. {@link #durable} is called on the log's
 * thread and takes this machine's lock too, which nobody else wants but a checkpoint for the time of a shallow copy. It knows
 * neither channels nor files.
 */
final class StateMachine {
    private final String target;
    private final Service service;
    private final boolean stateless;
    private final ClientTable table;
    private final Object lock = new Object();
    private volatile @Nullable Throwable failure;
    private volatile boolean idleAwaited;
    private volatile @Nullable String logFailure;

    /** What was under way when the log failed: whether that is logged, the next start decides. */
    private final Set<Sent> unknown = ConcurrentHashMap.newKeySet();

    private long appliedIndex; // guarded by lock

    /**
     * @param target its name, for messages
     * @param service in its first state
     */
    StateMachine(String target, Service service, MemoryBounds bounds) {
        this.target = target;
        this.service = service;
        this.stateless = service.isStateless();
        this.table = new ClientTable(bounds);
    }

    Service service() {
        return service;
    }

    boolean isStateless() {
        return stateless;
    }

    /** Whoever holds it sees a state that does not change; the log's threads wait for it before they execute a request. */
    Object lock() {
        return lock;
    }

    /** Why it failed for good, or {@code null}. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** The service may have changed half of its state: nothing is executed or answered from here on. */
    void fail(Throwable cause) {
        synchronized (lock) {
            if (failure == null) {
                failure = cause;
            }
        }
    }

    /**
     * The log failed for good: what comes from now on and was not under way is certainly not logged.
     *
     * @param sentence what happened to it
     */
    void logFailed(String sentence) {
        logFailure = sentence;
    }

    /** A request, as its client names it. */
    private record Sent(long client, long number) {}

    /**
     * Takes a request that has just arrived. If it is one that was seen before, its outcome is told, at once or later.
     *
     * @param hint the session that the last request of this connection had, or {@code null}
     * @return whether it is new: the caller appends it then, and tells nothing itself
     */
    boolean admit(LoggedRequest request, @Nullable Session hint) {
        if (failure != null) {
            request.refused(Status.FAILED, failedSentence());
            return false;
        }
        Session session = hint != null && hint.client() == request.client() ? hint : table.session(request.client());
        Session.Admission admission = session.admit(request);
        while (admission == Session.Admission.GONE) {
            table.discardIfOver(session);
            session = table.session(request.client());
            admission = session.admit(request);
        }
        switch (admission) {
            case ANSWERED -> answerAgain(session, request);
            case OUTDATED -> refuseAsOutdated(session, request);
            case NEW -> {
                if (logFailure == null) {
                    return true;
                }
                refuseAsTooLate(request, logFailure);
            }
            default -> {} // told with the one that it repeats
        }
        return false;
    }

    private void answerAgain(Session session, LoggedRequest request) {
        RecordedAnswer answer = session.find(request.number());
        if (answer == null) {
            refuseAsOutdated(session, request); // forgotten in this very moment
        } else {
            tell(request, request.recordCrc(), answer);
        }
    }

    private void refuseAsOutdated(Session session, LoggedRequest request) {
        request.refused(
                Status.OUTDATED,
                "request " + Long.toUnsignedString(request.number())
                        + " is older than what is remembered: the answers up to " + session.floor()
                        + " are forgotten; it may have been executed before");
    }

    private void refuseAsTooLate(LoggedRequest request, String failure) {
        boolean wasUnderWay = unknown.contains(new Sent(request.client(), request.number()));
        refuse(
                request,
                wasUnderWay ? Status.LOG_FAILED : Status.LOG_UNAVAILABLE,
                failure
                        + (wasUnderWay
                                ? "; this request was under way then, and whether it is logged is unknown until then"
                                : "; this request came later: it was not logged and not executed"));
    }

    private static void tell(LoggedRequest request, int recordCrc, RecordedAnswer answer) {
        if (answer.isFor(request.payloadBytes(), recordCrc)) {
            request.repeated(answer);
        } else {
            request.refused(
                    Status.CONFLICT,
                    "number " + Long.toUnsignedString(request.number()) + " was used for another request, of "
                            + answer.payloadBytes() + " bytes, logged at index " + answer.index()
                            + "; this one is not executed: give it a new number");
        }
    }

    /** The record of an admitted request is durable. Called on the log's thread, in log order, for each. */
    void durable(LoggedRequest request) {
        Session session = sessionOf(request);
        LoggedRequest repeats;
        byte[] answer = null;
        boolean failed;
        synchronized (lock) {
            if (failure == null && !stateless) {
                answer = execute(request);
            }
            failed = failure != null;
            if (failed) {
                repeats = session.release(request);
            } else {
                repeats = table.record(session, request, answer);
                appliedIndex = request.index();
            }
        }
        if (failed) {
            request.refused(Status.FAILED, failedSentence());
        } else {
            request.answered();
        }
        if (repeats != null) {
            RecordedAnswer recorded =
                    new RecordedAnswer(request.index(), request.payloadBytes(), request.payloadCrc(), answer);
            for (LoggedRequest each = repeats; each != null; each = each.nextRepeat) {
                if (failed) {
                    each.refused(Status.FAILED, failedSentence());
                } else {
                    tell(each, each.repeatCrc, recorded);
                }
            }
        }
        wakeWhoAwaitsIdle();
    }

    private byte @Nullable [] execute(LoggedRequest request) {
        try {
            request.execute(service);
            return request.copyOfAnswer();
        } catch (Throwable t) {
            fail(t);
            return null;
        }
    }

    /**
     * The record of an admitted request was not acknowledged. Its number is free again: after a definite refusal it may be
     * new, and after an indeterminate one the log takes nothing more, and the next start decides.
     */
    void failed(LoggedRequest request, LogException cause) {
        if (cause.isIndeterminate()) {
            unknown.add(new Sent(request.client(), request.number())); // before its number is free
        }
        refuse(request, Refusals.statusOf(cause), Refusals.sentenceOf(cause));
    }

    private void refuse(LoggedRequest request, Status status, String sentence) {
        Session session = sessionOf(request);
        LoggedRequest repeats = session.release(request);
        table.discardIfOver(session);
        request.refused(status, sentence);
        for (LoggedRequest each = repeats; each != null; each = each.nextRepeat) {
            each.refused(status, sentence);
        }
        wakeWhoAwaitsIdle();
    }

    private static Session sessionOf(LoggedRequest request) {
        Session session = request.session;
        if (session == null) {
            throw new IllegalStateException("a request that was not admitted");
        }
        return session;
    }

    /** Why requests are refused once it failed. */
    String failedSentence() {
        return "the service of target " + target + " failed (" + failure + "); restart the server";
    }

    /**
     * Executes a record that the log had at the start. The log is the truth: what stands in it was executed, whatever the
     * table says.
     *
     * @param index one more than that of the record before
     * @return whether it was a request; other records change nothing
     */
    boolean replay(long index, ByteBuffer log) {
        ByteBuffer record = log.slice();
        boolean isRequest = RequestRecord.isRequest(record);
        synchronized (lock) {
            if (isRequest) {
                CRC32C crc = new CRC32C();
                crc.update(record.duplicate());
                int bytes = record.remaining() - RequestRecord.ENVELOPE_BYTES;
                byte[] answer = stateless ? null : new byte[bytes];
                if (answer != null) {
                    ByteBuf request = Unpooled.wrappedBuffer(record);
                    service.execute(request, RequestRecord.ENVELOPE_BYTES, Unpooled.wrappedBuffer(answer), 0, bytes);
                }
                table.record(
                        RequestRecord.client(record),
                        RequestRecord.request(record),
                        index,
                        bytes,
                        (int) crc.getValue(),
                        answer);
            }
            appliedIndex = index;
        }
        return isRequest;
    }

    /** The last record whose effect the state holds. */
    long appliedIndex() {
        synchronized (lock) {
            return appliedIndex;
        }
    }

    /** Clients remembered. */
    int clients() {
        synchronized (lock) {
            return table.remembered();
        }
    }

    /**
     * The state as it is now. Requests wait while it is copied, without the answers' bytes.
     *
     * @throws IllegalStateException if the service failed: its state is worth nothing then
     */
    StateImage snapshot() {
        synchronized (lock) {
            if (failure != null) {
                throw new IllegalStateException(failedSentence(), failure);
            }
            return new StateImage(
                    appliedIndex,
                    service.name(),
                    !stateless,
                    service.snapshot(),
                    table.inOrder(session -> new StateImage.Client(
                            session.client(), session.answers().copy())));
        }
    }

    /**
     * Takes the state of a checkpoint over, before any request.
     *
     * @throws IllegalArgumentException if it is not one of this service
     */
    void restore(long index, ByteBuffer state) {
        synchronized (lock) {
            StateImage.decode(state, service, table);
            table.restored();
            appliedIndex = index;
        }
    }

    /**
     * Waits until no request is in flight. Nothing is admitted any more.
     *
     * @throws InterruptedException if the caller was interrupted
     */
    void awaitIdle() throws InterruptedException {
        synchronized (lock) {
            idleAwaited = true;
            while (table.hasInFlight()) {
                lock.wait();
            }
        }
    }

    private void wakeWhoAwaitsIdle() {
        if (idleAwaited) {
            synchronized (lock) {
                lock.notifyAll();
            }
        }
    }
}
