package io.plog.server.state;

import org.jspecify.annotations.Nullable;

/**
 * What a target knows of one client: which of its requests are in flight, and, by its kind, what it was answered.
 *
 * <p>Event loops ask and the log's thread records; each holds this monitor for some tens of nanoseconds. Answers change only in
 * log order, by a thread that also holds the state machine's lock. So a thread that holds that lock may read them without the
 * monitor.
 */
public abstract class Session {
    private final long client;
    private final InFlightTable inFlight = new InFlightTable();
    private boolean gone;

    Session(long client) {
        this.client = client;
    }

    final long client() {
        return client;
    }

    final synchronized Admission admit(LoggedRequest request) {
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

    /** Decides about a number that is not in flight. Called with the monitor. */
    abstract Admission recall(long number);

    /** The answer to a number; {@code null} if it was forgotten meanwhile. */
    abstract @Nullable RecordedAnswer find(long number);

    /** Why a number is outdated, and what the client can do. */
    abstract String outdatedSentence(long number);

    /** Whether answers of it are remembered. Called with the monitor. */
    abstract boolean isRemembered();

    /**
     * Takes a request out of flight. Allocates nothing.
     *
     * @return the requests that repeat it
     */
    final synchronized @Nullable LoggedRequest release(LoggedRequest request) {
        inFlight.remove(request);
        LoggedRequest repeats = request.repeats;
        request.repeats = null;
        return repeats;
    }

    final synchronized boolean hasInFlight() {
        return inFlight.count() > 0;
    }

    /** Whether nothing is left of the client. Then this must not be used again. */
    final synchronized boolean isOver() {
        gone = !isRemembered() && inFlight.count() == 0;
        return gone;
    }
}
