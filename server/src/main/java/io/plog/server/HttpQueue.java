package io.plog.server;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The exchanges of a connection in the order of their requests, which is the order of the answers. Event loop only. */
final class HttpQueue {
    private @Nullable HttpExchange[] ring = new @Nullable HttpExchange[4];
    private long first;
    private long next;

    int size() {
        return (int) (next - first);
    }

    /** The place that the next one will have, counted from 0 on. */
    long nextPlace() {
        return next;
    }

    void add(HttpExchange exchange) {
        if (size() == ring.length) {
            @Nullable HttpExchange[] larger = new @Nullable HttpExchange[2 * ring.length];
            for (long place = first; place < next; place++) {
                larger[(int) place & (larger.length - 1)] = ring[slot(place)];
            }
            ring = larger;
        }
        ring[slot(next++)] = exchange;
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

    /** The one at this place, or {@code null} if there is none any more. */
    @Nullable
    HttpExchange at(long place) {
        return place < first || place >= next ? null : ring[slot(place)];
    }

    /** The oldest of this key that was handed over, or is held back; {@code null} if there is none. */
    @Nullable
    HttpExchange keyed(long client, long number, boolean parked) {
        for (long place = first; place < next; place++) {
            HttpExchange each = ring[slot(place)];
            if (each != null
                    && each.isKeyed
                    && each.client == client
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
