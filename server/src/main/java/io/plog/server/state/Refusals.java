package io.plog.server.state;

import io.plog.log.LogFailedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogRefusedException;
import io.plog.protocol.Status;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Why a target answers requests no more, if it does not: its service broke or an answer could not be recorded; its log failed; or
 * another server has its log. Of requests that were under way when a log failed, the next start decides whether they are logged;
 * those that come later are certainly not. Safe for any thread.
 */
final class Refusals {
    private final String target;
    private final String shortSentence; // there may be no heap for a longer one
    private volatile @Nullable Throwable cause;
    private volatile long unrecordedIndex; // of the record whose answer could not be recorded; 0 if the service failed

    private volatile Set<RequestId> underWay = ConcurrentHashMap.newKeySet();
    private volatile Status later = Status.LOG_UNAVAILABLE;
    private volatile @Nullable String logSentence;

    Refusals(String target) {
        this.target = target;
        this.shortSentence = "target " + target + " failed; restart the server";
    }

    // ---- The service failed ----

    @Nullable
    Throwable cause() {
        return cause;
    }

    /**
     * The target failed; only the first time counts. Needs the state machine's lock. Allocates nothing, for there may be no heap left.
     *
     * @param unrecorded the index of the record whose answer could not be recorded; 0 if the service failed
     */
    void serviceFailed(Throwable thrown, long unrecorded) {
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

    // ---- The log failed, or another server has it ----

    void logFailed(String happened, LogFailedException.Reason reason) {
        later = statusOf(reason);
        logSentence = happened;
    }

    /** What was under way when that one failed is unknown here, too: it is the same log. */
    void continueFrom(Refusals before) {
        underWay = before.underWay;
    }

    /** This request was under way when the log failed. */
    void leftUnknown(LoggedRequest request) {
        underWay.add(new RequestId(request.client(), request.number()));
    }

    @Nullable
    String logSentence() {
        return logSentence;
    }

    /** Why another server has to be asked; {@code null} if this one has the log, or it is unknown. */
    @Nullable
    String notServing() {
        String happened = logSentence;
        return later == Status.NOT_SERVING ? happened : null;
    }

    /** The status of the refusal of a request that came after the failure. */
    Status statusFor(LoggedRequest request) {
        return underWay.contains(new RequestId(request.client(), request.number())) ? Status.LOG_FAILED : later;
    }

    /** The sentence that goes with this status, if {@code happened} is what happened to the log. */
    String sentenceFor(Status status, String happened) {
        boolean elsewhere = later == Status.NOT_SERVING;
        if (status != Status.LOG_FAILED) {
            return happened
                    + (elsewhere
                            ? "; this request was not logged and not executed here"
                            : "; this request came later: it was not logged and not executed");
        }
        return happened
                + (elsewhere
                        ? "; this request was under way when this server lost the log, and whether it is logged is unknown here:"
                                + " send it to the server that holds the log"
                        : "; this request was under way then, and whether it is logged is unknown until then");
    }

    // ---- How failures of the log are reported to a client ----

    static Status statusOf(LogException cause) {
        if (cause instanceof LogRefusedException.QueueFull) {
            return Status.OVERLOADED;
        }
        if (cause instanceof LogRefusedException.NoSpace || cause instanceof LogRefusedException.Shortage) {
            return Status.LOG_FULL;
        }
        if (cause instanceof LogFailedException failed) {
            return failed.isIndeterminate() ? Status.LOG_FAILED : statusOf(failed.reason());
        }
        return cause instanceof LogRefusedException.Closed ? Status.SHUTTING_DOWN : Status.FAILED;
    }

    /** The status of a request that came after the log had failed. */
    private static Status statusOf(LogFailedException.Reason reason) {
        return switch (reason) {
            case ERROR -> Status.LOG_UNAVAILABLE;
            case FENCED -> Status.NOT_SERVING;
            case NO_QUORUM -> Status.NO_QUORUM;
        };
    }

    static String sentenceOf(LogException cause) {
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }
}
