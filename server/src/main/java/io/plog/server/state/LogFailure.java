package io.plog.server.state;

import io.plog.protocol.Status;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of requests when their log fails for good. Those that were under way may be logged or not, which the next start
 * decides; those that come later are certainly not. Safe for any thread.
 */
final class LogFailure {
    /** A request, as its client names it. */
    private record Sent(long client, long number) {}

    private volatile Set<Sent> underWay = ConcurrentHashMap.newKeySet();
    private volatile Status later = Status.LOG_UNAVAILABLE;
    private volatile @Nullable String sentence;

    /**
     * The log failed.
     *
     * @param happened what happened to it
     * @param status of the refusals of requests that come later
     */
    void set(String happened, Status status) {
        later = status;
        sentence = happened;
    }

    /** What was under way when that one failed is unknown here, too: it is the same log. */
    void continueFrom(LogFailure before) {
        underWay = before.underWay;
    }

    /** Why another server has to be asked; {@code null} if this one has the log, or it is unknown. */
    @Nullable
    String notServing() {
        String happened = sentence;
        return later == Status.NOT_SERVING ? happened : null;
    }

    /** What happened to the log; {@code null} if nothing did. */
    @Nullable
    String sentence() {
        return sentence;
    }

    /** This request was under way when the log failed. */
    void leftUnknown(LoggedRequest request) {
        underWay.add(new Sent(request.client(), request.number()));
    }

    /** The status of the refusal of a request that came after the failure. */
    Status statusFor(LoggedRequest request) {
        return underWay.contains(new Sent(request.client(), request.number())) ? Status.LOG_FAILED : later;
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
}
