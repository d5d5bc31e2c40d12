package io.plog.server.admin;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The connections of the admin port. There are a few at most: one more takes the place of the one that is missed least, so that
 * a health check always gets in. Each phase of a connection has a time limit. Event loop only.
 */
public final class AdminConnections {
    /** Several times what monitors keep open. */
    public static final int MOST = 64;

    private final Set<AdminConnection> open = new LinkedHashSet<>();
    private final Duration patience;

    /** @param patience how long a request may take to come; an answer that is hardly read has three times as long, an idle one twelve */
    AdminConnections(Duration patience) {
        this.patience = patience;
    }

    Duration patience() {
        return patience;
    }

    void add(AdminConnection connection) {
        if (open.size() >= MOST) {
            open.stream()
                    .min(Comparator.comparing(AdminConnections::rank).thenComparingLong(AdminConnection::phaseBegan))
                    .ifPresent(AdminConnection::close);
        }
        open.add(connection);
    }

    /** Who owes an answer is closed last; of the others the oldest goes first, whether it said something or not. */
    private static AdminConnection.Phase rank(AdminConnection connection) {
        AdminConnection.Phase phase = connection.phase();
        return phase == AdminConnection.Phase.RECEIVING ? AdminConnection.Phase.IDLE : phase;
    }

    void remove(AdminConnection connection) {
        open.remove(connection);
    }
}
