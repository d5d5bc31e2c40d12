package io.plog.server.connection;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Hands requests from any threads to one. Whoever finds it empty wakes that one up, so that many cost one wake-up; it takes
 * all at once. The requests are its nodes, so nothing is allocated; each is in one stack at a time.
 */
final class RequestStack {
    private final AtomicReference<@Nullable PendingRequest> newest = new AtomicReference<>();

    /** Puts one in; says whether it is the first. */
    boolean push(PendingRequest request) {
        PendingRequest before;
        do {
            before = newest.get();
            request.next = before;
        } while (!newest.compareAndSet(before, request));
        return before == null;
    }

    /** Takes all of them, the oldest first, linked by {@link PendingRequest#next}. */
    @Nullable
    PendingRequest takeAll() {
        PendingRequest last = newest.getAndSet(null);
        return last == null ? null : oldestFirst(last);
    }

    private static PendingRequest oldestFirst(PendingRequest last) {
        PendingRequest first = last;
        PendingRequest rest = last.next;
        last.next = null;
        while (rest != null) {
            PendingRequest next = rest.next;
            rest.next = first;
            first = rest;
            rest = next;
        }
        return first;
    }
}
