package io.plog.server.http;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The connections of an {@link HttpServer}. There are a few at most: one more takes the place of the one that is missed least, so that
 * a health check always gets in. Each phase of a connection has a time limit. Event loop only.
 */
public final class HttpConnections {
    /** Several times what monitors keep open. */
    public static final int MOST = 64;

    private final Set<HttpConnection> open = new LinkedHashSet<>();
    private final Duration patience;

    /** @param patience how long a request may take to come; an answer that is hardly read has three times as long, an idle one twelve */
    HttpConnections(Duration patience) {
        this.patience = patience;
    }

    Duration patience() {
        return patience;
    }

    void add(HttpConnection connection) {
        if (open.size() >= MOST) {
            open.stream()
                    .min(Comparator.comparing(HttpConnections::rank).thenComparingLong(HttpConnection::phaseBegan))
                    .ifPresent(HttpConnection::close);
        }
        open.add(connection);
    }

    /** Who owes an answer is closed last; of the others the oldest goes first, whether it said something or not. */
    private static HttpConnection.Phase rank(HttpConnection connection) {
        HttpConnection.Phase phase = connection.phase();
        return phase == HttpConnection.Phase.RECEIVING ? HttpConnection.Phase.IDLE : phase;
    }

    void remove(HttpConnection connection) {
        open.remove(connection);
    }
}
