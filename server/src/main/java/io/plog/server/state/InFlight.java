package io.plog.server.state;

import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one client that are in flight, by number. They are the nodes of this hash table, so that nothing is allocated for
 * one. The caller holds the session's monitor.
 */
final class InFlight {
    /** Odd, and another one in each process: strangers choose the numbers, and are not to choose where these meet. */
    private static final long FACTOR = new SecureRandom().nextLong() | 1;

    private static final @Nullable LoggedRequest[] NONE = {}; // of clients that are quiet, most of them
    private static final int KEPT = 8; // more buckets are let go when nothing is in flight

    private @Nullable LoggedRequest[] buckets = NONE;
    private int count;

    boolean isEmpty() {
        return count == 0;
    }

    @Nullable
    LoggedRequest find(long number) {
        LoggedRequest request = count == 0 ? null : buckets[bucket(number)];
        while (request != null && request.number() != number) {
            request = request.nextInBucket;
        }
        return request;
    }

    /** Adds one whose number is not there. If there is no heap for it, nothing is changed. */
    void add(LoggedRequest request) {
        if (count == buckets.length) {
            @Nullable LoggedRequest[] old = buckets;
            buckets = new @Nullable LoggedRequest[Math.max(4, 2 * count)];
            for (LoggedRequest each : old) {
                while (each != null) {
                    LoggedRequest next = each.nextInBucket;
                    put(each);
                    each = next;
                }
            }
        }
        put(request);
        count++;
    }

    /** Removes one that is there. */
    void remove(LoggedRequest request) {
        int at = bucket(request.number());
        buckets[at] = without(request, buckets[at]);
        count--;
        if (count == 0 && buckets.length > KEPT) {
            buckets = NONE;
        }
    }

    private static @Nullable LoggedRequest without(LoggedRequest request, @Nullable LoggedRequest chain) {
        if (chain == null || chain == request) {
            return request.nextInBucket;
        }
        chain.nextInBucket = without(request, chain.nextInBucket);
        return chain;
    }

    private void put(LoggedRequest request) {
        int at = bucket(request.number());
        request.nextInBucket = buckets[at];
        buckets[at] = request;
    }

    private int bucket(long number) {
        return (int) ((number * FACTOR) >>> Integer.SIZE) & (buckets.length - 1);
    }
}
