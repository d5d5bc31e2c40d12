package io.plog.log;

import io.plog.log.segment.WorkThread;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Work on a thread that did another log's before: to start one costs more than most of the histories that tests run. */
final class PooledThread implements WorkThread {
    private static final ExecutorService POOL =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                Thread thread = new Thread(work, "pooled");
                thread.setDaemon(true);
                return thread;
            });

    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Thread thread;
    private volatile boolean started;
    private volatile boolean unparked;

    @Override
    public void start(Runnable work) {
        started = true;
        POOL.execute(() -> {
            thread = Thread.currentThread();
            if (unparked) {
                LockSupport.unpark(Thread.currentThread());
            }
            try {
                work.run();
            } finally {
                thread = null;
                ended.countDown();
            }
        });
    }

    @Override
    public void unpark() {
        unparked = true;
        LockSupport.unpark(thread);
    }

    @Override
    public boolean join(long nanos) {
        if (!started) {
            return true;
        }
        try {
            return ended.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException("a test was interrupted, probably by its time limit", e);
        }
    }
}
