package io.plog.server.state;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.log.LogFailedException;
import io.plog.log.storage.LogException;
import io.plog.protocol.RequestRecord;
import io.plog.protocol.Status;
import io.plog.server.service.Service;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One target's state: its service, and what it answered. Both change in log order only, when a record is durable, or is
 * replayed. So they are a function of the log, and nothing ever has to be undone. Requests in flight are kept apart and end with
 * the process.
 *
 * <p>{@link #admit} is called on event loops and takes the client's monitor only. {@link #durable} is called on the log's
 * thread and takes this state's lock too, for which only a checkpoint competes, for a shallow copy of the service or
 * of one client at a time. The state knows neither channels nor files.
 */
public final class TargetState {
    private final String target;
    private final Service service;
    private final boolean stateless;
    private final ClientTable table;
    private final Object lock = new Object();
    private final Refusals refusals;
    private volatile boolean idleAwaited;

    private long appliedIndex; // guarded by lock

    /** @param service in its first state */
    public TargetState(String target, Service service, MemoryBounds bounds) {
        this(target, service, bounds, HeapArrays.JVM, System::nanoTime);
    }

    /** With heap and time of a test. */
    public TargetState(String target, Service service, MemoryBounds bounds, HeapArrays arrays, LongSupplier nanoClock) {
        this.target = target;
        this.refusals = new Refusals(target);
        this.service = service;
        this.stateless = service.isStateless();
        this.table = new ClientTable(bounds, arrays, nanoClock, lock);
    }

    public Service service() {
        return service;
    }

    /** Whether an answer is a function of its request alone. */
    public boolean isStateless() {
        return stateless;
    }

    /** The state does not change while a thread holds this lock; the log's threads take it before they execute a request. */
    public Object lock() {
        return lock;
    }

    /** Why it failed for good, or {@code null}. */
    public @Nullable Throwable failure() {
        return refusals.cause();
    }

    /** The service may have changed half of its state: nothing is executed or answered from here on. */
    public void fail(Throwable cause) {
        fail(cause, 0);
    }

    /** Allocates nothing, for there may be no heap left. */
    private void fail(Throwable cause, long unrecorded) {
        synchronized (lock) {
            refusals.serviceFailed(cause, unrecorded);
        }
    }

    /** The log failed for good: requests that come from now on and were not under way are certainly not logged. */
    public void logFailed(String sentence, LogFailedException.Reason reason) {
        refusals.logFailed(sentence, reason);
    }

    /**
     * This server waits for the log while another one holds it. Requests are refused until this state is replaced by one that has
     * replayed the log.
     *
     * @param sentence who holds it, as far as that is known
     */
    public void standsBy(String sentence) {
        logFailed(sentence, LogFailedException.Reason.FENCED);
    }

    /**
     * This server had the log, lost it, and waits for it: of requests that were under way then, the server continues to say that
     * it is unknown here whether they were logged.
     *
     * @param before the state that executed the log until it was lost
     */
    public void standsByAfter(TargetState before, String sentence) {
        refusals.continueFrom(before.refusals);
        standsBy(sentence);
    }

    /** Why another server has to be asked, also by those who only read; {@code null} if this one has the log. */
    public @Nullable String notServing() {
        return refusals.notServing();
    }

    /** Takes a request that has just arrived. Returns whether it is new, and to be appended; otherwise it gets its outcome here. */
    public boolean admit(LoggedRequest request) {
        if (refusals.cause() != null) {
            request.refused(Status.FAILED, failedSentence());
            return false;
        }
        Session session = null;
        Admission admission;
        try {
            session = table.session(request.client());
            admission = session.admit(request);
            while (admission == Admission.GONE) {
                table.discardIfOver(session);
                session = table.session(request.client());
                admission = session.admit(request);
            }
        } catch (OutOfMemoryError e) {
            refuseForWantOfMemory(session, request);
            return false;
        }
        switch (admission) {
            case ANSWERED -> answerRepeat(session, request);
            case OUTDATED -> refuseAsOutdated(session, request);
            case TOO_MANY -> {
                table.discardIfOver(session);
                request.refused(Status.OVERLOADED, tooManySentence());
            }
            case NEW -> {
                if (!table.takePlace(session)) {
                    refuse(request, Status.OVERLOADED, tooManySentence());
                    return false;
                }
                String happened = refusals.logSentence();
                if (happened == null) {
                    return true;
                }
                Status status = refusals.statusFor(request);
                refuse(request, status, refusals.sentenceFor(status, happened));
            }
            default -> {} // answered together with the request that it repeats
        }
        return false;
    }

    private String tooManySentence() {
        return "more new clients came than target " + target
                + " can remember for as long as it promised; this one was not logged. Try again later";
    }

    /** It was not taken: what is in flight is changed only once there is heap for it. */
    private void refuseForWantOfMemory(@Nullable Session session, LoggedRequest request) {
        if (session != null) {
            table.discardIfOver(session);
        }
        request.refused(
                Status.OVERLOADED,
                "the server has no heap for one request more; this one was not logged. Try again later");
    }

    /**
     * The record of an admitted request is durable. Called on the log's thread, in log order, for each.
     *
     * <p>If the answer cannot be recorded, the target fails for good, since its state may be half changed. In any case every
     * request gets its outcome and is not in flight any more.
     */
    void durable(LoggedRequest request) {
        Session session = Objects.requireNonNull(request.session, "not admitted");
        byte[] answer = null;
        boolean failed;
        LoggedRequest waiting;
        synchronized (lock) {
            if (refusals.cause() == null && !stateless) {
                answer = execute(request);
            }
            if (refusals.cause() == null) {
                record(session, request, answer);
            }
            failed = refusals.cause() != null;
            waiting = table.release(session, request);
        }
        // While its bytes are there: once it is answered, its buffer belongs to another request.
        RecordedAnswer forRepeats = waiting == null || failed ? null : recorded(request, answer);
        try {
            if (failed) {
                request.refused(Status.FAILED, failedSentence());
            } else {
                request.answered();
            }
        } finally {
            if (waiting != null) {
                answerAll(waiting, forRepeats);
            }
            signalIdle();
        }
    }

    // ---- Requests that repeat an earlier one: they get its answer, byte for byte, or the reason why not ----

    /** Gives the answer that was recorded; refuses the repeat if it was forgotten since it was admitted. */
    private void answerRepeat(Session session, LoggedRequest request) {
        RecordedAnswer answer = session.find(request.number());
        if (answer == null) {
            refuseAsOutdated(session, request);
        } else {
            table.discardIfOver(session);
            answer(request, request.recordCrc(), answer);
        }
    }

    private void refuseAsOutdated(Session session, LoggedRequest request) {
        String sentence = session.outdatedSentence(request.number());
        table.discardIfOver(session);
        request.refused(Status.OUTDATED, sentence);
    }

    /** Answers all requests that waited for the one that they repeat, even if one of them cannot be answered. */
    private void answerAll(LoggedRequest first, @Nullable RecordedAnswer recorded) {
        LoggedRequest each = first;
        try {
            while (each != null) {
                LoggedRequest current = each;
                each = each.nextRepeat;
                if (recorded == null) {
                    current.refused(Status.FAILED, failedSentence());
                } else {
                    answer(current, current.repeatCrc, recorded);
                }
            }
        } finally {
            if (each != null) {
                answerAll(each, recorded);
            }
        }
    }

    private static void answer(LoggedRequest request, int recordCrc, RecordedAnswer answer) {
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

    private void record(Session session, LoggedRequest request, byte @Nullable [] answer) {
        try {
            table.record(
                    session, request.number(), request.index(), request.payloadBytes(), request.payloadCrc(), answer);
            appliedIndex = request.index();
        } catch (Throwable t) {
            fail(t, request.index());
        }
    }

    /** The answer for repeats; {@code null} if there is no heap for it. */
    private @Nullable RecordedAnswer recorded(LoggedRequest request, byte @Nullable [] answer) {
        try {
            return new RecordedAnswer(request.index(), request.payloadBytes(), request.payloadCrc(), answer);
        } catch (OutOfMemoryError e) {
            fail(e, request.index());
            return null;
        }
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
            refusals.leftUnknown(request); // before its number is free
        }
        refuse(request, Refusals.statusOf(cause), Refusals.sentenceOf(cause));
    }

    private void refuse(LoggedRequest request, Status status, String sentence) {
        Session session = Objects.requireNonNull(request.session, "not admitted");
        LoggedRequest waiting = table.release(session, request);
        table.discardIfOver(session);
        request.refused(status, sentence);
        for (LoggedRequest each = waiting; each != null; each = each.nextRepeat) {
            each.refused(status, sentence);
        }
        signalIdle();
    }

    /** Why requests are refused once it failed. */
    public String failedSentence() {
        return refusals.sentence();
    }

    /**
     * Executes a record that the log had at the start. Every record of the log counts as executed, even if the table has its
     * number already.
     *
     * @param index one more than that of the record before
     * @return whether it was a request; other records change nothing
     */
    public boolean replay(long index, ByteBuffer log) {
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
                long client = RequestRecord.client(record);
                if (ClientKind.of(client) != ClientKind.HTTP_CONNECTION) {
                    table.record(
                            table.session(client),
                            RequestRecord.request(record),
                            index,
                            bytes,
                            (int) crc.getValue(),
                            answer);
                }
            }
            appliedIndex = index;
        }
        return isRequest;
    }

    /** The last record whose effect the state holds. */
    public long appliedIndex() {
        synchronized (lock) {
            return appliedIndex;
        }
    }

    /** Clients remembered; each idempotency key is one. */
    public int clients() {
        synchronized (lock) {
            return table.remembered();
        }
    }

    /** Bytes of heap that the remembered answers take. */
    public long answerBytes() {
        synchronized (lock) {
            return table.heapBytes();
        }
    }

    /**
     * The state as it is now. Requests wait while the service's is copied, and the list of its clients is made.
     *
     * @throws IllegalStateException if the service failed: its state is worth nothing then
     */
    public StateImage snapshot() {
        synchronized (lock) {
            if (refusals.cause() != null) {
                throw new IllegalStateException(failedSentence(), refusals.cause());
            }
            return new StateImage(appliedIndex, service.name(), !stateless, service.snapshot(), table.images(), lock);
        }
    }

    /**
     * Takes the state of a checkpoint over, before any request.
     *
     * @throws IllegalArgumentException if it is not one of this service
     */
    public void restore(long index, ByteBuffer state) {
        synchronized (lock) {
            StateImage.decode(state, service, table);
            table.restored();
            appliedIndex = index;
        }
    }

    /** Waits until no request is in flight. Nothing is admitted any more. */
    public void awaitIdle() throws InterruptedException {
        synchronized (lock) {
            idleAwaited = true;
            while (table.hasInFlight()) {
                lock.wait();
            }
        }
    }

    private void signalIdle() {
        if (idleAwaited) {
            synchronized (lock) {
                lock.notifyAll();
            }
        }
    }
}
