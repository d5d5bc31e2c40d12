package io.plog.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Several servers of which one serves, such as the holder of a log and its standbys. It stays with the server that serves; when that
 * cannot be reached, ends the connection, or says that it does not serve, the next connection goes to the next in the list. Which
 * server answers does not matter to exactly-once: they share the log, and a number is executed once.
 *
 * <p>A server that was silent may be cut off, and to try it again takes a whole timeout. So for a while it is passed over, as long as
 * there are others: one of them takes the log over meanwhile.
 */
final class FailoverWire implements Wire {
    /** A failed attempt to connect that took so long was a silence, and no refusal. */
    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final List<String> addresses;
    private final List<Wire> servers;

    /** Why each could not be used the last time, by its place in the list; null if that is not known. */
    private final List<@Nullable RpcException> seen;

    /** Until when each is passed over, because it was silent. */
    private final List<@Nullable Long> passedOverUntil;

    private final long patienceNanos;
    private int current;

    /**
     * @param addresses how messages name the servers
     * @param servers to each of them, in the same order; at least two, with one clock
     * @param patienceNanos for how long a server is passed over that was silent
     */
    FailoverWire(List<String> addresses, List<? extends Wire> servers, long patienceNanos) {
        this.addresses = List.copyOf(addresses);
        this.servers = List.copyOf(servers);
        this.patienceNanos = patienceNanos;
        this.seen = new ArrayList<>(Collections.nCopies(servers.size(), null));
        this.passedOverUntil = new ArrayList<>(Collections.nCopies(servers.size(), null));
    }

    @Override
    public long nanoTime() {
        return servers.get(0).nanoTime();
    }

    @Override
    public Runnable schedule(Runnable task, long delayNanos) {
        return servers.get(0).schedule(task, delayNanos);
    }

    @Override
    public CompletableFuture<Connection> connect(Consumer<RpcException> ended) {
        int chosen = current;
        long began = nanoTime();
        return servers.get(chosen)
                .connect(why -> {
                    leave(chosen, why, false);
                    ended.accept(why);
                })
                .whenComplete((connection, failure) -> {
                    if (failure == null) {
                        seen.set(chosen, null);
                    } else {
                        leave(chosen, ConnectionFailures.notConnected(failure), nanoTime() - began >= SLOW_NANOS);
                    }
                })
                .exceptionally(failure -> {
                    throw new CompletionException(none(ConnectionFailures.notConnected(failure)));
                });
    }

    @Override
    public boolean hasOthers() {
        return true;
    }

    @Override
    public void leave(RpcException why, boolean silent) {
        leave(current, why, silent);
    }

    private void leave(int server, RpcException why, boolean silent) {
        seen.set(server, why);
        if (silent) {
            passedOverUntil.set(server, nanoTime() + patienceNanos);
        }
        if (server == current) {
            current = following(server);
        }
    }

    /** The next one that is not passed over, which may be the same again; the next one if all are. */
    private int following(int server) {
        for (int i = 1; i <= servers.size(); i++) {
            int next = (server + i) % servers.size();
            Long until = passedOverUntil.get(next);
            if (until == null || nanoTime() - until >= 0) {
                return next;
            }
        }
        return (server + 1) % servers.size();
    }

    /** What is known of each of them. Another server may do, so this is never a verdict for good. */
    private RpcException none(RpcException last) {
        StringBuilder all = new StringBuilder("none of " + servers.size() + " servers serves:");
        for (int i = 0; i < addresses.size(); i++) {
            RpcException why = seen.get(i);
            all.append(i == 0 ? " " : "; ")
                    .append(addresses.get(i))
                    .append(": ")
                    .append(why == null ? "not asked yet" : why.getMessage());
        }
        return new ServerUnavailableException(all.toString(), last);
    }
}
