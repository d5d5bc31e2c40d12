package io.plog.log;

import io.plog.log.segment.PreparingPace;
import io.plog.log.segment.WorkThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which thread does what when. Tests have one of their own, in which everything takes turns and repeats from a seed.
 *
 * @param pace when segments are prepared
 * @param runner runs the lanes
 * @param lookNanos how often the {@link Housekeeper} looks; {@link Housekeeper#ON_DEMAND} if a test says when
 * @param timeouts how long closing the log waits without progress
 * @param watching whose thread is the housekeeper's; null for one of its own
 */
record LogThreading(
        PreparingPace pace,
        LaneRunner runner,
        long lookNanos,
        CloseTimeouts timeouts,
        @Nullable ScheduledExecutorService watching) {
    LogThreading(PreparingPace pace, LaneRunner runner, long lookNanos, CloseTimeouts timeouts) {
        this(pace, runner, lookNanos, timeouts, null);
    }

    /** Without housekeeping by itself. */
    LogThreading(PreparingPace pace, LaneRunner runner) {
        this(pace, runner, Housekeeper.ON_DEMAND, CloseTimeouts.NORMAL);
    }

    /** On the threads of a runtime, or else as {@link #normal}. */
    static LogThreading of(@Nullable LogRuntime runtime) {
        return runtime == null
                ? normal()
                : new LogThreading(
                        new SharedThreads.Preparing(runtime),
                        new SharedThreads.Lanes(runtime),
                        Housekeeper.PERIOD_NANOS,
                        CloseTimeouts.NORMAL,
                        runtime.watching());
    }

    /** Prepares segments as they are wanted; runs each lane on a thread of its own; looks once a second. */
    static LogThreading normal() {
        return new LogThreading(
                PreparingPace.NORMAL,
                new LaneThreads(WorkThread::named),
                Housekeeper.PERIOD_NANOS,
                CloseTimeouts.NORMAL);
    }

    static final class LaneThreads implements LaneRunner {
        private final Function<String, WorkThread> source;
        private final List<WorkThread> threads = new ArrayList<>();

        /** @param source gives a new thread of this name */
        LaneThreads(Function<String, WorkThread> source) {
            this.source = source;
        }

        @Override
        public void start(AppendEngine engine) {
            for (Lane lane : engine.scheduler.lanes()) {
                WorkThread thread = source.apply("plog-log-" + (threads.size() + 1));
                threads.add(thread);
                thread.start(lane);
            }
        }

        @Override
        public boolean join(long nanos) {
            long begin = System.nanoTime();
            for (WorkThread thread : threads) {
                if (!thread.join(Math.max(0, nanos - (System.nanoTime() - begin)))) {
                    return false;
                }
            }
            return true;
        }
    }
}
