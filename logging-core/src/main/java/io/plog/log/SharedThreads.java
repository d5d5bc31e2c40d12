package io.plog.log;

import io.plog.log.file.Uninterruptibles;
import io.plog.log.segment.PreparingPace;
import io.plog.log.segment.WorkThread;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** How one log uses the threads of a {@link LogRuntime}. */
final class SharedThreads {
    private SharedThreads() {}

    /** Runs the lanes of one log on shared threads. */
    static final class Lanes implements LaneRunner, Lane.Host {
        private final LogRuntime runtime;
        private volatile CountDownLatch left = new CountDownLatch(0);

        Lanes(LogRuntime runtime) {
            this.runtime = runtime;
        }

        @Override
        public void start(AppendEngine engine) {
            left = new CountDownLatch(engine.scheduler.lanes().size());
            engine.scheduler.lanes().forEach(lane -> lane.share(this));
        }

        @Override
        public void run(Lane lane) {
            runtime.working().execute(lane::takeTurn);
        }

        @Override
        public void wakeIn(long nanos, Lane lane) {
            var unused = runtime.watching().schedule(lane::wakeAtDeadline, nanos, TimeUnit.NANOSECONDS);
        }

        @Override
        public void leave() {
            left.countDown();
        }

        @Override
        public boolean join(long nanos) {
            return Uninterruptibles.await(nanos, rest -> left.await(rest, TimeUnit.NANOSECONDS));
        }
    }

    /** Makes segments on shared threads: {@link WorkThread#start} and {@link WorkThread#unpark} run the work until it rests. */
    static final class Preparing implements PreparingPace {
        private final ExecutorService threads;

        Preparing(LogRuntime runtime) {
            this.threads = runtime.preparing();
        }

        @Override
        public WorkThread newThread(String name) {
            return new SharedThread(threads);
        }

        @Override
        public long retryNanos() {
            return TimeUnit.MILLISECONDS.toNanos(20); // a thread that waits serves no other log
        }
    }

    private static final class SharedThread implements WorkThread {
        private final ExecutorService threads;
        private final CountDownLatch ended = new CountDownLatch(1);
        private Runnable work = () -> {}; // guarded by this, as all that follows
        private boolean started;
        private boolean runs;
        private boolean again;

        SharedThread(ExecutorService threads) {
            this.threads = threads;
        }

        @Override
        public synchronized void start(Runnable rounds) {
            work = rounds;
            started = true;
            unpark();
        }

        @Override
        public synchronized void unpark() {
            again = true;
            if (started && !runs) {
                runs = true;
                threads.execute(this::run);
            }
        }

        private void run() {
            Runnable round;
            synchronized (this) {
                again = false;
                round = work;
            }
            try {
                round.run();
            } finally {
                synchronized (this) {
                    runs = false;
                    if (again && ended.getCount() > 0) {
                        unpark();
                    }
                }
            }
        }

        @Override
        public boolean isShared() {
            return true;
        }

        @Override
        public void end() {
            ended.countDown();
        }

        @Override
        public boolean join(long nanos) {
            synchronized (this) {
                if (!started) {
                    return true;
                }
            }
            return Uninterruptibles.await(nanos, left -> ended.await(left, TimeUnit.NANOSECONDS));
        }
    }
}
