package io.plog.server.state;

import org.jspecify.annotations.Nullable;

/**
 * The requests of one client that were handed to the log and whose outcome is not known yet, by number. The requests
 * themselves are the table's nodes, so that nothing is allocated for one. It knows no lock; see {@link Session}.
 */
final class InFlightTable {
    /** Clients that are quiet, most of them, hold no buckets of their own. */
    private static final @Nullable LoggedRequest[] NONE = {};

    private static final int LEAST_BUCKETS = 4;

    /** More than these are given back when nothing is in flight. */
    private static final int KEPT_BUCKETS = 8;

    private @Nullable LoggedRequest[] buckets = NONE;
    private int count;

    int count() {
        return count;
    }

    @Nullable
    LoggedRequest find(long number) {
        if (count == 0) {
            return null;
        }
        LoggedRequest request = buckets[bucket(number)];
        while (request != null && request.number() != number) {
            request = request.nextInBucket;
        }
        return request;
    }

    /** Its number must not be there yet. If there is no heap for it, nothing is changed. */
    void add(LoggedRequest request) {
        if (count == buckets.length) {
            grow();
        }
        put(request);
        count++;
    }

    /** Does nothing if it is not there. */
    void remove(LoggedRequest request) {
        if (count == 0) {
            return;
        }
        int at = bucket(request.number());
        LoggedRequest before = null;
        for (LoggedRequest each = buckets[at]; each != null; each = each.nextInBucket) {
            if (each == request) {
                if (before == null) {
                    buckets[at] = each.nextInBucket;
                } else {
                    before.nextInBucket = each.nextInBucket;
                }
                each.nextInBucket = null;
                count--;
                if (count == 0 && buckets.length > KEPT_BUCKETS) {
                    buckets = NONE;
                }
                return;
            }
            before = each;
        }
    }

    private void put(LoggedRequest request) {
        int at = bucket(request.number());
        request.nextInBucket = buckets[at];
        buckets[at] = request;
    }

    private void grow() {
        @Nullable LoggedRequest[] old = buckets;
        buckets = new @Nullable LoggedRequest[Math.max(LEAST_BUCKETS, 2 * old.length)];
        for (LoggedRequest head : old) {
            LoggedRequest rest = head;
            while (rest != null) {
                LoggedRequest next = rest.nextInBucket;
                put(rest);
                rest = next;
            }
        }
    }

    /** Numbers that follow each other fall into different buckets; those of a strange client are mixed as well. */
    private int bucket(long number) {
        long mixed = number ^ (number >>> 20) ^ (number >>> 40);
        return (int) mixed & (buckets.length - 1);
    }
}
