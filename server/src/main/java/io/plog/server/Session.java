package io.plog.server;

import org.jspecify.annotations.Nullable;

/**
 * What a target knows of one client: the answers of its last requests, and which of its requests are in flight.
 *
 * <p>Event loops ask, the log's thread tells; each holds this monitor for some tens of nanoseconds. The answers change only in
 * log order, by the thread that holds the state machine's lock too; so whoever holds that lock may read them without the
 * monitor.
 */
final class Session {
    /** What is to be done with a request that has just arrived. */
    enum Admission {
        /** It is in flight now: append it. */
        NEW,
        /** The same number is in flight: its outcome will be told to this one too. */
        ATTACHED,
        /** It was answered before. */
        ANSWERED,
        /** It may have been answered before and forgotten. */
        OUTDATED,
        /** This session is not the client's any more: ask for another. */
        GONE
    }

    private final long client;
    private final Answers answers;
    private final InFlight inFlight = new InFlight();
    private boolean gone;

    // Of the ClientTable, guarded by the state machine's lock (isRemembered: written with the monitor, too).
    boolean isRemembered;

    @Nullable
    Session older;

    @Nullable
    Session newer;

    Session(long client, int window) {
        this.client = client;
        this.answers = new Answers(window);
    }

    long client() {
        return client;
    }

    /** For whoever holds the state machine's lock; only to be read. */
    Answers answers() {
        return answers;
    }

    synchronized Admission admit(LoggedRequest request) {
        if (gone) {
            return Admission.GONE;
        }
        long number = request.number();
        LoggedRequest first = inFlight.find(number);
        if (first != null) {
            request.repeatCrc = request.recordCrc();
            request.nextRepeat = first.repeats;
            first.repeats = request;
            request.session = this;
            return Admission.ATTACHED;
        }
        if (!answers.isBeyondAll(number)) {
            if (answers.find(number) != null) {
                return Admission.ANSWERED;
            }
            if (answers.isOutdated(number)) {
                return Admission.OUTDATED;
            }
        }
        inFlight.add(request);
        request.session = this;
        return Admission.NEW;
    }

    /** The answer to a number; {@code null} if it was forgotten meanwhile. */
    synchronized @Nullable RecordedAnswer find(long number) {
        return answers.find(number);
    }

    /** The highest number forgotten, as text for people. */
    synchronized String floor() {
        return Long.toUnsignedString(answers.floor());
    }

    /**
     * Records the answer of a request that was in flight and keeps the client's own bounds.
     *
     * @return the requests that repeat it
     */
    synchronized @Nullable LoggedRequest record(LoggedRequest request, byte @Nullable [] answer, MemoryBounds bounds) {
        record(request.number(), request.index(), request.payloadBytes(), request.payloadCrc(), answer, bounds);
        return release(request);
    }

    /** The same for a record that is replayed. */
    synchronized void record(
            long number, long index, int payloadBytes, int crc, byte @Nullable [] answer, MemoryBounds bounds) {
        answers.add(number, index, payloadBytes, crc, answer);
        while (answers.storedBytes() > bounds.clientBytes() && answers.count() > 1) {
            answers.forgetOldest();
        }
    }

    /**
     * Takes a request out of flight.
     *
     * @return the requests that repeat it
     */
    synchronized @Nullable LoggedRequest release(LoggedRequest request) {
        inFlight.remove(request);
        LoggedRequest repeats = request.repeats;
        request.repeats = null;
        return repeats;
    }

    synchronized boolean hasInFlight() {
        return inFlight.count() > 0;
    }

    synchronized void forgetOldestAnswer() {
        answers.forgetOldest();
    }

    /** Takes over what a checkpoint says of the client, before any request. */
    synchronized void restore(long number, RecordedAnswer answer) {
        answers.add(number, answer);
    }

    /** Takes over that answers up to this number were forgotten. */
    synchronized void restoreFloor(long number) {
        answers.noteForgotten(number);
    }

    synchronized void remember() {
        isRemembered = true;
    }

    /** Forgets all answers. Says whether nothing is left of the client; then this is not to be used again. */
    synchronized boolean forget() {
        isRemembered = false;
        answers.clear();
        return isOver();
    }

    /** Whether nothing is left of the client; then this is not to be used again. */
    synchronized boolean isOver() {
        gone = !isRemembered && inFlight.count() == 0;
        return gone;
    }
}
