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

    private final Set<Sent> underWay = ConcurrentHashMap.newKeySet();
    private volatile @Nullable String sentence;

    /**
     * The log failed.
     *
     * @param happened what happened to it
     */
    void set(String happened) {
        sentence = happened;
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

    private boolean isUnknown(LoggedRequest request) {
        return underWay.contains(new Sent(request.client(), request.number()));
    }

    /** With which status a request is refused that comes later. */
    Status statusFor(LoggedRequest request) {
        return isUnknown(request) ? Status.LOG_FAILED : Status.LOG_UNAVAILABLE;
    }

    /** With which sentence, if {@code happened} to the log. */
    String sentenceFor(LoggedRequest request, String happened) {
        return happened
                + (isUnknown(request)
                        ? "; this request was under way then, and whether it is logged is unknown until then"
                        : "; this request came later: it was not logged and not executed");
    }
}
