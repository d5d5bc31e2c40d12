package io.plog.server.net;

import io.netty.channel.SelectStrategy;
import io.netty.channel.SelectStrategyFactory;
import io.netty.util.IntSupplier;
import io.plog.server.monitoring.EventLoopCounts;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How event loops wait for something to do. As long as a few requests are with their logs, their replies are due within about
 * one force, and a loop looks again and again instead of sleeping: to be woken takes it 30 to 50 microseconds, about half as
 * long as a force. With many requests under way there is always something to do, and looking would only take the processor
 * from the logs and the clients; with none there is nothing to look for.
 *
 * <p>For any thread.
 */
public final class BusyPolling implements SelectStrategyFactory {
    /** With more requests under way the loop sleeps: the processor is needed elsewhere. */
    private static final int MOST_DUE = 4;

    /** Longer than most forces take. A disk that takes longer makes the wake-up matter less. */
    private static final long MOST_NANOS = 400_000;

    /** Looks between two offers of the processor to others. */
    private static final int LOOKS = 8;

    private static final boolean SINGLE_PROCESSOR = Runtime.getRuntime().availableProcessors() == 1;

    private final boolean looks;
    private final EventLoopCounts turns;
    private final AtomicInteger due = new AtomicInteger();

    /**
     * For all event loops of a server.
     *
     * @param looks whether loops look at all
     * @param turns is told of each turn of a loop
     */
    public BusyPolling(boolean looks, EventLoopCounts turns) {
        this.looks = looks;
        this.turns = turns;
    }

    /** A request went to its log. */
    public void began() {
        due.incrementAndGet();
    }

    /** Replies were written, or will never be written. */
    public void ended(int count) {
        due.addAndGet(-count);
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
            int requests = due.get();
            if (requests == 0 || requests > MOST_DUE || !looks || SINGLE_PROCESSOR) {
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
