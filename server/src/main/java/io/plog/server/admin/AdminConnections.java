package io.plog.server.admin;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The connections of the admin port. There are a few at most: one more takes the place of the one that is missed least, so that
 * a health check always gets in. Each phase of a connection has a time limit. Event loop only.
 */
public final class AdminConnections {
    /** Several times what monitors keep open. */
    public static final int MOST = 64;

    private final Set<AdminConnection> open = new LinkedHashSet<>();
    private final long patienceNanos;
    private boolean watching;

    /** @param patience how long a request may take to come; an answer may take three times as long to be read, an idle one twelve */
    AdminConnections(Duration patience) {
        this.patienceNanos = patience.toNanos();
    }

    void add(AdminConnection connection) {
        if (open.size() >= MOST) {
            open.stream()
                    .min(Comparator.comparing(AdminConnections::rank).thenComparingLong(AdminConnection::phaseBegan))
                    .ifPresent(AdminConnection::close);
        }
        open.add(connection);
        if (!watching) {
            watching = true;
            watch(connection.loop());
        }
    }

    /** Who owes an answer is closed last; of the others the oldest goes first, whether it said something or not. */
    private static AdminConnection.Phase rank(AdminConnection connection) {
        AdminConnection.Phase phase = connection.phase();
        return phase == AdminConnection.Phase.RECEIVING ? AdminConnection.Phase.IDLE : phase;
    }

    void remove(AdminConnection connection) {
        open.remove(connection);
    }

    /** Looks again and again, as long as there are connections. */
    private void watch(EventLoop loop) {
        var next = loop.schedule(
                () -> {
                    long now = System.nanoTime();
                    List.copyOf(open).forEach(connection -> endIfLate(connection, now));
                    watching = !open.isEmpty();
                    if (watching) {
                        watch(loop);
                    }
                },
                Math.max(1, patienceNanos / 8),
                TimeUnit.NANOSECONDS);
        next.addListener(done -> {});
    }

    private void endIfLate(AdminConnection connection, long now) {
        long age = now - connection.phaseBegan();
        switch (connection.phase()) {
            case IDLE -> {
                if (age > 12 * patienceNanos) {
                    connection.close();
                }
            }
            case RECEIVING -> {
                if (age > patienceNanos) {
                    connection.tellThatItIsLate(TimeUnit.NANOSECONDS.toMillis(patienceNanos));
                }
            }
            case SENDING -> {
                if (age > 3 * patienceNanos) {
                    connection.close();
                }
            }
            case WORKING -> {} // bounded by the worker's places
        }
    }
}
