package io.plog.server.connection;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Hands requests from many threads to one. The thread that finds the stack empty wakes that one, which then takes all requests at
 * once; so many requests cost one wake-up. The requests are its nodes, so nothing is allocated; each is in one stack at a time.
 */
final class RequestStack {
    private final AtomicReference<@Nullable PendingRequest> newest = new AtomicReference<>();

    /** Adds a request. Returns whether the stack was empty. */
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
