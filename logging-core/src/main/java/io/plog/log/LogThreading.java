package io.plog.log;

import java.util.ArrayList;
import java.util.List;

/**
 * Which thread does what when. Tests have one of their own, in which everything takes turns and repeats from a seed.
 *
 * @param pace when segments are prepared
 * @param runner runs the lanes
 * @param lookNanos how often the {@link Housekeeper} looks; {@link Housekeeper#ON_DEMAND} if a test says when
 * @param timeouts how long closing the log waits without progress
 */
record LogThreading(PreparingPace pace, LaneRunner runner, long lookNanos, CloseTimeouts timeouts) {
    /** Without housekeeping by itself. */
    LogThreading(PreparingPace pace, LaneRunner runner) {
        this(pace, runner, Housekeeper.ON_DEMAND, CloseTimeouts.NORMAL);
    }

    /** Prepares segments as they are wanted; runs each lane on a thread of its own; looks once a second. */
    static LogThreading normal() {
        return new LogThreading(
                PreparingPace.NORMAL, new LaneThreads(), Housekeeper.PERIOD_NANOS, CloseTimeouts.NORMAL);
    }

    private static final class LaneThreads implements LaneRunner {
        private final List<Thread> threads = new ArrayList<>();

        @Override
        public void start(AppendEngine engine) {
            for (Lane lane : engine.scheduler.lanes()) {
                Thread thread = new Thread(lane, "plog-log-" + (threads.size() + 1));
                thread.setDaemon(true);
                threads.add(thread);
            }
            threads.forEach(Thread::start);
        }

        @Override
        public boolean join(long nanos) {
            long begin = System.nanoTime();
            for (Thread thread : threads) {
                if (!ThreadJoin.join(thread, Math.max(0, nanos - (System.nanoTime() - begin)))) {
                    return false;
                }
            }
            return true;
        }
    }
}
