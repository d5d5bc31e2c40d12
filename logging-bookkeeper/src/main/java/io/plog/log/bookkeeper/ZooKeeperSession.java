package io.plog.log.bookkeeper;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;

/**
 * A session of ZooKeeper that is followed by another one when it has expired. Reads are tried again while there is no connection. A
 * change is sent once: if its answer is lost, only its maker can know whether it took place, by what it wrote. (BookKeeper's own
 * {@code ZooKeeperClient} sends it again, meets its own first attempt, and reports a conflict.) For any thread.
 */
final class ZooKeeperSession {
    interface Request<T> {
        T send(ZooKeeper to) throws KeeperException, InterruptedException;
    }

    static final int MILLIS = 10_000;
    static final long PAUSE_MILLIS = 50;

    private final String servers;
    private final Object lock = new Object();
    private ZooKeeper session; // guarded by lock
    private final CountDownLatch closed = new CountDownLatch(1);

    private ZooKeeperSession(String servers) throws IOException {
        this.servers = servers;
        this.session = newSession();
    }

    /** Connects; throws if no server answers within {@link #patienceSeconds}. */
    static ZooKeeperSession connect(String servers) throws IOException, KeeperException, InterruptedException {
        ZooKeeperSession session = new ZooKeeperSession(servers);
        try {
            session.sendAgain(to -> to.exists("/", false));
            return session;
        } catch (Throwable t) {
            session.close();
            throw t;
        }
    }

    /** How long a read waits for a server, in seconds; also after how long without an answer ZooKeeper ends the session. */
    static int patienceSeconds() {
        return MILLIS / 1_000;
    }

    private ZooKeeper newSession() throws IOException {
        return new ZooKeeper(servers, MILLIS, event -> {});
    }

    int sessionMillis() {
        synchronized (lock) {
            return session.getSessionTimeout();
        }
    }

    /** Sends what may be done twice, again and again while no server answers. */
    <T> T sendUntilAnswered(String what, Request<T> request) throws IOException {
        return worded(what, () -> sendAgain(request));
    }

    /** Sends what changes something, once. If there is no connection, or it ends, it may have been done. */
    <T> T sendOnce(String what, Request<T> request) throws IOException {
        return worded(what, () -> request.send(current()));
    }

    private interface Answer<T> {
        T get() throws IOException, KeeperException, InterruptedException;
    }

    private <T> T worded(String what, Answer<T> answer) throws IOException {
        try {
            return answer.get();
        } catch (KeeperException e) {
            throw new IOException("cannot " + what + " in ZooKeeper at " + servers + ": " + e.code(), e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    static IOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IOException("interrupted while waiting for BookKeeper", e);
    }

    private <T> T sendAgain(Request<T> request) throws IOException, KeeperException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MILLIS);
        while (true) {
            ZooKeeper to = current();
            try {
                return request.send(to);
            } catch (KeeperException.ConnectionLossException
                    | KeeperException.SessionMovedException
                    | KeeperException.SessionExpiredException e) {
                if (!awaitNextTry(deadline)) {
                    throw e;
                }
            }
        }
    }

    private boolean awaitNextTry(long deadline) throws InterruptedException {
        return System.nanoTime() < deadline && !closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Only the end of a session that the servers have reported is its end: until then they may still do what it asked for. */
    private ZooKeeper current() throws IOException, InterruptedException {
        synchronized (lock) {
            if (closed.getCount() > 0 && !session.getState().isAlive()) {
                session.close();
                session = newSession();
            }
            return session;
        }
    }

    void close() throws InterruptedException {
        ZooKeeper last;
        synchronized (lock) {
            closed.countDown();
            last = session;
        }
        last.close();
    }
}
