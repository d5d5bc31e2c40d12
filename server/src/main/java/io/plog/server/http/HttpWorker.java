package io.plog.server.http;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads for one kind of request to an {@link HttpServer}, which are there only while there is something to do. A place is taken from
 * when a request is accepted until its answer was sent, so that unread answers are bounded, too. Safe for any thread.
 */
public final class HttpWorker implements AutoCloseable {
    private static final int IDLE_SECONDS = 10;

    private final Semaphore places;
    private final ThreadPoolExecutor threads;

    /** @param places requests at a time: those that are worked on, those that wait, and those whose answer is being sent */
    public HttpWorker(String name, int most, int places) {
        this.places = new Semaphore(places);
        this.threads = new ThreadPoolExecutor(
                most,
                most,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(places),
                new DefaultThreadFactory(name, true));
        threads.allowCoreThreadTimeOut(true);
    }

    /** Takes a place and does the work soon; {@link #leave} gives the place back. Returns false if there is no place. */
    boolean tryToDo(Runnable work) {
        if (!places.tryAcquire()) {
            return false;
        }
        try {
            threads.execute(work);
            return true;
        } catch (RejectedExecutionException e) {
            places.release();
            return false;
        }
    }

    void leave() {
        places.release();
    }

    /** Starts no more work. Work that has begun continues; nothing waits for it. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
