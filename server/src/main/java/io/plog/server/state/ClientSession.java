package io.plog.server.state;

import org.jspecify.annotations.Nullable;

/** What a target knows of a client that counts its requests: the answers of the last of them. */
final class ClientSession extends Session {
    private static final long LARGEST = -1; // 2^64 - 1

    private final boolean asksAgain;
    private final Answers answers;
    private boolean leaves; // another has its place as soon as that is logged

    // Of RememberedClients, guarded by the state machine's lock (isRemembered: written with the monitor, too).
    volatile boolean isRemembered;

    long loggedNanos; // when its last request was, or was replayed
    volatile boolean hasPlace; // though it is not remembered yet

    @Nullable
    ClientSession older;

    @Nullable
    ClientSession newer;

    /** @param asksAgain whether it may repeat a request, so that answers are kept for it */
    ClientSession(long client, boolean asksAgain, int window, HeapArrays arrays) {
        super(client);
        this.asksAgain = asksAgain;
        this.answers = new Answers(window, arrays);
    }

    /** For whoever holds the state machine's lock; only to be read. */
    Answers answers() {
        return answers;
    }

    @Override
    Admission recall(long number) {
        if (!answers.isBeyondAll(number)) {
            if (answers.find(number) != null) {
                return Admission.ANSWERED;
            }
            if (answers.isOutdated(number)) {
                return Admission.OUTDATED;
            }
        }
        return leaves ? Admission.TOO_MANY : Admission.NEW;
    }

    /** Whether a request of it may be logged without asking for a place. */
    boolean isExpected() {
        return hasPlace || !asksAgain || isRemembered();
    }

    /** Gives its place away, if nothing of it is in flight and it has not done so. */
    synchronized boolean leaveIfQuiet() {
        boolean goes = !leaves && !hasInFlight();
        leaves |= goes;
        return goes;
    }

    /** Takes its place back. Says whether it had given it away. */
    synchronized boolean stay() {
        boolean left = leaves;
        leaves = false;
        return left;
    }

    @Override
    synchronized @Nullable RecordedAnswer find(long number) {
        return answers.find(number);
    }

    @Override
    synchronized String outdatedSentence(long number) {
        long floor = answers.floor();
        return "request " + Long.toUnsignedString(number) + " is older than what is remembered: the answers up to "
                + Long.toUnsignedString(floor) + " are forgotten; it may have been executed before. "
                + (floor == LARGEST
                        ? "No number lies above that one, which this client used: go on under another client id"
                        : "Numbers above that are taken");
    }

    /** Records an answer and keeps the client's own bounds. If there is no heap for it, nothing is recorded. */
    synchronized void record(
            long number, long index, int payloadBytes, int crc, byte @Nullable [] answer, MemoryBounds bounds) {
        if (!asksAgain) {
            return;
        }
        int coming = answer == null ? 0 : answer.length;
        while (answers.count() > 0 && answers.storedBytes() + coming > bounds.clientBytes()) {
            answers.forgetOldest();
        }
        answers.add(number, index, payloadBytes, crc, answer);
    }

    synchronized void forgetOldestAnswer() {
        answers.forgetOldest();
    }

    synchronized void trim() {
        answers.trim();
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

    @Override
    boolean isRemembered() {
        return isRemembered;
    }
}
