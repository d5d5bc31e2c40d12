package io.plog.server.http;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges of a connection in the order of their requests, which is the order of the answers, each under the client and
 * the number that its request has in the log. Event loop only.
 */
final class HttpQueue {
    private final long client = HttpContext.newClient();
    private final long firstNumber = HttpContext.firstNumber();
    private @Nullable HttpExchange[] ring = new @Nullable HttpExchange[4];
    private long first;
    private long next;

    int size() {
        return (int) (next - first);
    }

    /**
     * Begins an exchange.
     *
     * @param identity client and number of the request; {@code null} for those of the connection
     */
    HttpExchange add(@Nullable RequestIdentity identity, boolean isHead, boolean isVersion10) {
        HttpExchange exchange = identity == null
                ? new HttpExchange(client, firstNumber + next, false, isHead, isVersion10)
                : new HttpExchange(identity.client(), identity.number(), true, isHead, isVersion10);
        if (size() == ring.length) {
            @Nullable HttpExchange[] larger = new @Nullable HttpExchange[2 * ring.length];
            for (long place = first; place < next; place++) {
                larger[(int) place & (larger.length - 1)] = ring[slot(place)];
            }
            ring = larger;
        }
        ring[slot(next++)] = exchange;
        return exchange;
    }

    private int slot(long place) {
        return (int) place & (ring.length - 1);
    }

    /** The oldest, or {@code null}. */
    @Nullable
    HttpExchange peek() {
        return first == next ? null : ring[slot(first)];
    }

    /** Removes the oldest; there must be one. */
    void remove() {
        ring[slot(first++)] = null;
    }

    /** The exchange whose request was handed over with this client and number; {@code null} if there is none. */
    @Nullable
    HttpExchange handedOver(long requestClient, long number) {
        if (requestClient != client) {
            return oldest(requestClient, number, false);
        }
        long place = number - firstNumber;
        return place < first || place >= next ? null : ring[slot(place)];
    }

    /** The oldest of this identity that waits for another of the same to be answered, or {@code null} if there is none. */
    @Nullable
    HttpExchange parked(long requestClient, long number) {
        return oldest(requestClient, number, true);
    }

    private @Nullable HttpExchange oldest(long requestClient, long number, boolean parked) {
        for (long place = first; place < next; place++) {
            HttpExchange each = ring[slot(place)];
            if (each != null
                    && each.isIdentified
                    && each.client == requestClient
                    && each.number == number
                    && (parked ? each.isParked : each.isWaiting)) {
                return each;
            }
        }
        return null;
    }

    /** Takes all out. */
    void clear(Consumer<HttpExchange> each) {
        for (HttpExchange exchange = peek(); exchange != null; exchange = peek()) {
            remove();
            each.accept(exchange);
        }
    }
}
