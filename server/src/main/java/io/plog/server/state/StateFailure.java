package io.plog.server.state;

import org.jspecify.annotations.Nullable;

/**
 * Why a target failed for good, if it did: its service broke, or an answer could not be recorded. Only the first failure counts.
 * Set under the state machine's lock; read by any thread.
 */
final class StateFailure {
    private final String target;
    private final String shortSentence; // there may be no heap for a longer one
    private volatile @Nullable Throwable cause;
    private volatile long unrecordedIndex; // of the record whose answer could not be recorded; 0 if the service failed

    /** @param target its name, for messages */
    StateFailure(String target) {
        this.target = target;
        this.shortSentence = "target " + target + " failed; restart the server";
    }

    /** What was thrown; {@code null} if nothing failed. */
    @Nullable
    Throwable cause() {
        return cause;
    }

    /**
     * The target failed. Allocates nothing, for there may be no heap left.
     *
     * @param unrecorded the index of the record whose answer could not be recorded; 0 if the service failed
     */
    void set(Throwable thrown, long unrecorded) {
        if (cause == null) {
            unrecordedIndex = unrecorded;
            cause = thrown;
        }
    }

    /** Why requests are refused since then. */
    String sentence() {
        try {
            return unrecordedIndex == 0
                    ? "the service of target " + target + " failed (" + cause + "); restart the server"
                    : "target " + target + " could not remember the answer to record " + unrecordedIndex + " (" + cause
                            + "); the record is in the log: restart the server, with a larger heap if that was full";
        } catch (OutOfMemoryError e) {
            return shortSentence;
        }
    }
}
