package io.plog.server.net;

import io.netty.channel.SelectStrategy;
import io.netty.channel.SelectStrategyFactory;
import io.netty.util.IntSupplier;
import io.netty.util.concurrent.FastThreadLocal;
import io.plog.server.monitoring.EventLoopCounts;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How event loops wait for something to do: the same for every design and every target, so that what is measured of them differs in
 * logging alone. As long as a few requests of its connections are with their logs, a loop has their replies to write within about one
 * force, and looks again and again instead of sleeping: to be woken takes it 30 to 50 microseconds, about half as long as a force. It
 * never looks for a request, logged or not: its arrival is unknown. With many requests under way there is always something to do,
 * and looking would only take the processor from the logs and the clients.
 *
 * <p>For any thread, but for {@link #began} and {@link #ended}.
 */
public final class BusyPolling implements SelectStrategyFactory {
    /** With more requests under way the loop sleeps: the processor is needed elsewhere. */
    static final int MOST_DUE = 4;

    /** Longer than most forces take. A disk that takes longer makes the wake-up matter less. */
    private static final long MOST_NANOS = 400_000;

    /** Looks between two offers of the processor to others. */
    private static final int LOOKS = 8;

    private final boolean singleProcessor;
    private final EventLoopCounts turns;

    /** Of all loops. */
    private final AtomicInteger due = new AtomicInteger();

    /** Of one loop each: only its own replies come to it. */
    private final FastThreadLocal<Due> ownDue = new FastThreadLocal<>() {
        @Override
        protected Due initialValue() {
            return new Due();
        }
    };

    private static final class Due {
        private int count;
    }

    /**
     * For all event loops of a server.
     *
     * @param turns is called after each turn of a loop
     */
    public BusyPolling(EventLoopCounts turns) {
        this(turns, Runtime.getRuntime().availableProcessors());
    }

    BusyPolling(EventLoopCounts turns, int processors) {
        this.turns = turns;
        this.singleProcessor = processors == 1;
    }

    /** How a server's loops wait, as the fact that its clients receive. */
    public String fact() {
        return singleProcessor
                ? "event loops sleep in the kernel, whatever the target; there is one processor"
                : "event loops look for the replies of up to " + MOST_DUE + " requests that are with their logs, for "
                        + MOST_NANOS / 1_000 + " µs at most, and sleep in the kernel otherwise, whatever the target";
    }

    /** A request is handed over, and its reply is written later. Called on the event loop of its connection. */
    public void began() {
        due.incrementAndGet();
        ownDue.get().count++;
    }

    /** Replies were written, or will never be written. Called on the event loop of their connection. */
    public void ended(int count) {
        due.addAndGet(-count);
        ownDue.get().count -= count;
    }

    @Override
    public SelectStrategy newSelectStrategy() {
        return new Strategy();
    }

    /** Of one event loop. */
    private final class Strategy implements SelectStrategy {
        private long since;
        private int looked;

        @Override
        @SuppressWarnings("ThreadPriorityCheck") // not for correctness: who is waited for may need this processor
        public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
            turns.ofThisThread().turn();
            if (hasTasks) {
                looked = 0;
                return selectNow.get();
            }
            if (singleProcessor || ownDue.get().count <= 0 || due.get() > MOST_DUE) {
                looked = 0;
                return SelectStrategy.SELECT;
            }
            if (looked++ == 0) {
                since = System.nanoTime();
            } else if (looked % LOOKS == 0) {
                if (System.nanoTime() - since > MOST_NANOS) {
                    return SelectStrategy.SELECT; // until something happens; then it looks again
                }
                Thread.yield();
            }
            int ready = selectNow.get();
            if (ready > 0) {
                looked = 0;
            }
            return ready;
        }
    }
}
