package io.plog.server.monitoring;

import io.netty.util.concurrent.FastThreadLocal;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/**
 * Counts for each event loop how many channels completed a read between two of its turns: the analogue of Ruan and Pai's
 * ready events per {@code select} (USENIX ATC 2006, figure 1). A loop counts its own turns on its own thread.
 */
public final class EventLoopCounts {
    /** The counts of one event loop. Only {@link #ready} may be called by other threads. */
    public static final class Loop {
        private final CountHistogram ready = new CountHistogram();
        private final Runnable endOfTurn = this::endTurn;
        private int channels;

        /** A channel completed a read; {@code loop} runs its tasks when it has read all channels that were ready. */
        public void readCompleted(Executor loop) {
            if (channels++ == 0) {
                loop.execute(endOfTurn);
            }
        }

        private void endTurn() {
            ready.add(channels);
            channels = 0;
        }

        /** Turns by the number of channels, those without any left out. For any thread. */
        public CountHistogram ready() {
            return ready;
        }
    }

    private final List<Loop> loops = new CopyOnWriteArrayList<>();
    private final FastThreadLocal<Loop> ofThread = new FastThreadLocal<>() {
        @Override
        protected Loop initialValue() {
            Loop made = new Loop();
            loops.add(made);
            return made;
        }
    };

    /** That of the calling thread, an event loop's. */
    public Loop ofThisThread() {
        return ofThread.get();
    }

    /** The loops that have run so far, in the order of their first turn. */
    public List<Loop> loops() {
        return loops;
    }
}
