package io.plog.log;

import java.util.ArrayList;
import java.util.List;

/**
 * Which thread does what when. Tests have one of their own, in which everything takes turns and repeats from a seed.
 *
 * @param pace when segments are prepared
 * @param runner runs the lanes
 * @param lookNanos how often the {@link Housekeeper} looks; {@link Housekeeper#ON_DEMAND} if a test says when
 */
record Schedule(SegmentPreparer.Pace pace, LaneRunner runner, long lookNanos) {
    /** Without housekeeping by itself. */
    Schedule(SegmentPreparer.Pace pace, LaneRunner runner) {
        this(pace, runner, Housekeeper.ON_DEMAND);
    }

    /** Prepares segments as they are wanted; runs each lane on a thread of its own; looks once a second. */
    static Schedule normal() {
        return new Schedule(SegmentPreparer.Pace.NORMAL, new LaneThreads(), Housekeeper.PERIOD_NANOS);
    }

    private static final class LaneThreads implements LaneRunner {
        private final List<Thread> threads = new ArrayList<>();

        @Override
        public void start(Committer committer) {
            for (Lane lane : committer.lanes()) {
                Thread thread = new Thread(lane, "plog-log-" + (threads.size() + 1));
                thread.setDaemon(true);
                threads.add(thread);
            }
            threads.forEach(Thread::start);
        }

        @Override
        public boolean isCurrentThread() {
            return threads.contains(Thread.currentThread());
        }

        @Override
        public void join() {
            threads.forEach(Joins::join);
        }
    }
}
