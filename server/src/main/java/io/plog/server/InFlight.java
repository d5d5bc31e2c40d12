package io.plog.server;

import org.jspecify.annotations.Nullable;

/**
 * The requests of one client that were handed to the log and whose outcome is not known yet, by number. The requests
 * themselves are the table's nodes, so that nothing is allocated for one. It knows no lock; see {@link Session}.
 */
final class InFlight {
    private @Nullable LoggedRequest[] buckets = new @Nullable LoggedRequest[4];
    private int count;

    int count() {
        return count;
    }

    @Nullable
    LoggedRequest find(long number) {
        LoggedRequest request = buckets[bucket(number)];
        while (request != null && request.number() != number) {
            request = request.nextInBucket;
        }
        return request;
    }

    /** Its number must not be there yet. */
    void add(LoggedRequest request) {
        if (count == buckets.length) {
            grow();
        }
        put(request);
        count++;
    }

    /** Does nothing if it is not there. */
    void remove(LoggedRequest request) {
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
        buckets = new @Nullable LoggedRequest[2 * old.length];
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
