package io.plog.server.admin;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A thread for one kind of request to the admin port, which is there only while there is something to do. A place is taken from
 * when a request is accepted until its answer was sent, so that unread answers are bounded, too. Safe for any thread.
 */
final class AdminWorker implements AutoCloseable {
    private static final int IDLE_SECONDS = 10;

    private final Semaphore places;
    private final ThreadPoolExecutor thread;

    /**
     * Starts no thread yet.
     *
     * @param places requests at a time, at least 1: one that is worked on, those that wait, and those whose answer is being sent
     */
    AdminWorker(String name, int places) {
        this.places = new Semaphore(places);
        this.thread =
                new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(places), work -> {
                    Thread made = new Thread(work, "plog-admin-" + name);
                    made.setDaemon(true);
                    return made;
                });
        thread.allowCoreThreadTimeOut(true);
    }

    /**
     * Takes a place and does the work soon, one after the other; {@link #leave} gives the place back.
     *
     * @return false if there is no place, or the server is closing; nothing happens then
     */
    boolean tryToDo(Runnable work) {
        if (!places.tryAcquire()) {
            return false;
        }
        try {
            thread.execute(work);
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
        thread.shutdownNow();
    }
}
