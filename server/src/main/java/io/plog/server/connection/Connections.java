package io.plog.server.connection;

import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import io.plog.protocol.GoodbyeCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The connections that are open. Safe for any thread. */
public final class Connections {
    /** A connection, as the end of a server sees it. */
    public interface Member {
        Channel channel();

        /** Takes no more requests. Those already appended are still answered. Called on the event loop. */
        void drain();

        /** Says why, if it still can, and closes. Called on the event loop; only the first call counts. */
        void sayGoodbye(GoodbyeCode code, String reason);
    }

    private final Set<Member> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private volatile boolean closing;

    @SuppressWarnings("FutureReturnValueIgnored") // a listener's result says nothing
    void add(Member connection) {
        open.add(connection);
        count.incrementAndGet();
        connection.channel().closeFuture().addListener(closed -> count.decrementAndGet());
    }

    void remove(Member connection) {
        open.remove(connection);
    }

    /** New ones are refused from now on. */
    public void refuseMore() {
        closing = true;
    }

    boolean refusesMore() {
        return closing;
    }

    public int count() {
        return count.get(); // the set may still hold connections that closed just now
    }

    /**
     * Does this to each connection on its event loop, and waits until it is done. Called by no event loop.
     *
     * @param leftNanos how long it may still wait
     */
    public void onEach(Consumer<Member> action, LongSupplier leftNanos) {
        List<Future<?>> done = new ArrayList<>();
        for (Member connection : open) {
            try {
                done.add(connection.channel().eventLoop().submit(() -> action.accept(connection)));
            } catch (RejectedExecutionException e) {
                // Its event loop ended, and the connection with it.
            }
        }
        done.forEach(each -> each.awaitUninterruptibly(leftNanos.getAsLong(), TimeUnit.NANOSECONDS));
    }

    /**
     * Waits until all are closed: a farewell closes each within its own time, unless its event loop has ended. Called by no event
     * loop.
     *
     * @param leftNanos how long it may still wait
     * @return how many are still open then
     */
    public int awaitClosed(LongSupplier leftNanos) {
        int left = 0;
        for (Member connection : open) {
            left += connection.channel().closeFuture().awaitUninterruptibly(leftNanos.getAsLong(), TimeUnit.NANOSECONDS)
                    ? 0
                    : 1;
        }
        return left;
    }
}
