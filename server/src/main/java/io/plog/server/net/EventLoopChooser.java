package io.plog.server.net;

import io.netty.channel.Channel;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorChooserFactory;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Which event loop waits for a disk, and which one a new connection is given to. A loop may wait only while its connection is the
 * only one of the server; a connection that comes meanwhile is given to another loop. The first loop, on which ports listen, never
 * waits.
 *
 * <p>Either side first says what it is about to do and then looks at the other, so at least one of them sees the other (Dekker's
 * algorithm): the connection goes to another loop, or another thread waits for the disk.
 */
@SuppressWarnings("FutureReturnValueIgnored") // who listens for the end of a connection needs no answer
public final class EventLoopChooser implements EventExecutorChooserFactory {
    private final AtomicInteger connections = new AtomicInteger();
    private volatile @Nullable Executor waiting;
    private volatile @Nullable Executor accepting;

    /**
     * An event loop is about to wait for a disk. Called on it.
     *
     * @return false if it must not: other connections are open, or it is the one that accepts
     */
    public boolean beginDiskWait(Executor loop) {
        if (loop.equals(accepting)) {
            return false;
        }
        waiting = loop;
        if (connections.get() > 1) {
            waiting = null;
            return false;
        }
        return true;
    }

    /** It has come back. Called on the loop. */
    public void endDiskWait() {
        waiting = null;
    }

    /** Whether a loop might wait if it asked now. For any thread. */
    public boolean mayWaitForDisk() {
        return connections.get() <= 1;
    }

    /** A connection was accepted, and is about to be given to a loop. Called before {@link EventExecutorChooser#next}. */
    void accepted(Channel connection) {
        connections.incrementAndGet();
        connection.closeFuture().addListener(closed -> connections.decrementAndGet());
    }

    /** Gives each connection to the next loop that does not wait, but to the first loop only if there is no other. */
    @Override
    public EventExecutorChooser newChooser(EventExecutor[] loops) {
        List<EventExecutor> serving = List.of(loops).subList(1, loops.length);
        accepting = loops[0];
        AtomicInteger turn = new AtomicInteger();
        return () -> {
            for (int i = 0; i < serving.size(); i++) {
                EventExecutor next = serving.get(Math.floorMod(turn.getAndIncrement(), serving.size()));
                if (!next.equals(waiting)) {
                    return next;
                }
            }
            return loops[0];
        };
    }
}
