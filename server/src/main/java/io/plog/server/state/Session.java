package io.plog.server.state;

import org.jspecify.annotations.Nullable;

/**
 * What a target knows of one client: which of its requests are in flight, and the answers of the last of them.
 *
 * <p>Event loops ask and the log's thread records; each holds this monitor for some tens of nanoseconds. Answers change only in
 * log order, by a thread that also holds the state machine's lock. So a thread that holds that lock may read them without the
 * monitor.
 */
final class Session {
    private static final long LARGEST = -1; // 2^64 - 1

    private final long client;
    private final ClientKind kind;
    private final InFlight inFlight = new InFlight();
    private final Answers answers;
    private boolean gone;
    private boolean leaves; // another has its place as soon as that is logged

    // Of ClientTable, guarded by the state machine's lock (isRemembered: written with the monitor, too).
    volatile boolean isRemembered;

    long loggedNanos; // when its last request was, or was replayed
    volatile boolean hasPlace; // though it is not remembered yet

    private StateImage.@Nullable Client imaged; // that still needs the answers as they are

    @Nullable
    Session older;

    @Nullable
    Session newer;

    Session(long client, int window, HeapArrays arrays) {
        this.client = client;
        this.kind = ClientKind.of(client);
        this.answers = new Answers(window, arrays);
    }

    long client() {
        return client;
    }

    /** Whether it may repeat a request, so that it is remembered. */
    boolean asksAgain() {
        return kind != ClientKind.HTTP_CONNECTION;
    }

    synchronized Admission admit(LoggedRequest request) {
        if (gone) {
            return Admission.GONE;
        }
        LoggedRequest first = inFlight.find(request.number());
        if (first != null) {
            request.repeatCrc = request.recordCrc();
            request.nextRepeat = first.repeats;
            first.repeats = request;
            request.session = this;
            return Admission.ATTACHED;
        }
        Admission admission = recall(request.number());
        if (admission == Admission.NEW) {
            inFlight.add(request);
            request.session = this;
        }
        return admission;
    }

    /** Decides about a number that is not in flight. */
    private Admission recall(long number) {
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

    /** Takes a request out of flight, and returns the requests that repeat it. Allocates nothing. */
    synchronized @Nullable LoggedRequest release(LoggedRequest request) {
        inFlight.remove(request);
        LoggedRequest repeats = request.repeats;
        request.repeats = null;
        return repeats;
    }

    synchronized boolean hasInFlight() {
        return !inFlight.isEmpty();
    }

    /** Whether nothing is left of the client. Then this must not be used again. */
    synchronized boolean isOver() {
        gone = !isRemembered && inFlight.isEmpty();
        return gone;
    }

    /** For a thread that holds the state machine's lock; only to be read. */
    Answers answers() {
        return answers;
    }

    /** The client in an image of the state as it is now. Needs the state machine's lock. */
    StateImage.Client image() {
        keepForImage();
        imaged = new StateImage.Client(this);
        return imaged;
    }

    /** Before the answers change, or the image wants them. Needs the state machine's lock. */
    void keepForImage() {
        if (imaged != null) {
            imaged.keep(answers);
            imaged = null;
        }
    }

    /** Whether a request of it may be logged without asking for a place. */
    boolean isExpected() {
        return hasPlace || !asksAgain() || isRemembered;
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

    /** The answer to a number; {@code null} if it was forgotten meanwhile. */
    synchronized @Nullable RecordedAnswer find(long number) {
        return answers.find(number);
    }

    /** Why a number is outdated, and what the client can do. */
    synchronized String outdatedSentence(long number) {
        if (kind == ClientKind.HTTP_KEY) {
            return "this Idempotency-Key was used, and its answer is forgotten; it is not executed again";
        }
        long floor = answers.floor();
        return "request " + Long.toUnsignedString(number) + " is older than what is remembered: the answers up to "
                + Long.toUnsignedString(floor) + " are forgotten; it may have been executed before. "
                + (floor == LARGEST
                        ? "No number lies above that one, which this client used: continue under another client id"
                        : "Numbers above that are taken");
    }

    /** Records an answer and keeps the client's own bounds. If there is no heap for it, nothing is recorded. */
    synchronized void record(
            long number, long index, int payloadBytes, int crc, byte @Nullable [] answer, MemoryBounds bounds) {
        keepForImage();
        int coming = answer == null ? 0 : answer.length;
        while (answers.count() > 0 && answers.storedBytes() + coming > bounds.clientBytes()) {
            answers.forgetOldest();
        }
        answers.add(number, index, payloadBytes, crc, answer);
    }

    synchronized void forgetOldestAnswer() {
        keepForImage();
        answers.forgetOldest();
    }

    synchronized void trim() {
        answers.trim();
    }

    synchronized void remember() {
        isRemembered = true;
    }

    /** Forgets all answers. Says whether nothing is left of the client; then this is not to be used again. */
    synchronized boolean forget() {
        keepForImage();
        isRemembered = false;
        answers.clear();
        return isOver();
    }
}
