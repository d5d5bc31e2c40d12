package io.plog.server.connection;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/**
 * Requests of the connections of one event loop whose outcome is known and whose reply is not yet written. So what one force
 * made durable wakes a loop once, however many connections it came from, and each of these is flushed once.
 */
final class FinishedRequests {
    private static final FastThreadLocal<FinishedRequests> OF_THIS_LOOP = new FastThreadLocal<>();

    private final EventExecutor loop;
    private final RequestStack requests = new RequestStack();
    private final List<PendingRequest.Origin> written = new ArrayList<>();
    private final Runnable answer = this::answer;

    private FinishedRequests(EventExecutor loop) {
        this.loop = loop;
    }

    /** Those of the calling thread, which is this event loop's. */
    static FinishedRequests of(EventExecutor loop) {
        FinishedRequests its = OF_THIS_LOOP.get();
        if (its == null || !its.loop.equals(loop)) {
            its = new FinishedRequests(loop);
            OF_THIS_LOOP.set(its);
        }
        return its;
    }

    /** Adds one, and wakes the loop if it is the first. Returns at once; for any thread. */
    void add(PendingRequest request) {
        if (requests.push(request)) {
            try {
                loop.execute(answer);
            } catch (RejectedExecutionException e) {
                // The event loops ended before the logs: no reply can be sent, and no event loop runs at the same time.
                answer();
            }
        }
    }

    /** On the event loop; after its end on the threads of the logs, which may be several. */
    private synchronized void answer() {
        PendingRequest first = requests.takeAll();
        for (PendingRequest request = first; request != null; request = request.next) {
            if (request.origin().write(request)) {
                written.add(request.origin());
            }
        }
        written.forEach(PendingRequest.Origin::flush);
        written.clear();
        for (PendingRequest request = first; request != null; request = request.next) {
            request.record();
        }
    }
}
