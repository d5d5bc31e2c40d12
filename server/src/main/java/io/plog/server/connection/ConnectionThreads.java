package io.plog.server.connection;

import io.plog.protocol.Status;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Threads that serve a connection each, from when one is free for it to its end. A connection's thread takes its requests in
 * order; the event loop reads, decodes and writes. Connections beyond the number of threads wait unread, in the order in
 * which they came; so idle connections keep others out, which is the known weakness of such servers. How a request is forced
 * is what the designs that are made of it differ in.
 *
 * <p>Threads are made when they are needed and kept. All methods may be called by any thread.
 */
final class ConnectionThreads implements ServerDesign {
    private final Consumer<PendingRequest> appendAndWait;
    private final int most;
    private volatile boolean stopping;

    // Guarded by this.
    private final List<Thread> threads = new ArrayList<>();
    private final Set<Served> unserved = new LinkedHashSet<>();
    private int idle;

    /** @param most at most so many threads, and connections served at once; those beyond wait unread */
    ConnectionThreads(Consumer<PendingRequest> appendAndWait, int most) {
        this.appendAndWait = appendAndWait;
        this.most = most;
    }

    @Override
    public synchronized Serving accept(Accepted connection) {
        Served served = new Served(connection);
        unserved.add(served);
        if (unserved.size() > idle && threads.size() < most && !stopping) {
            Thread thread = new Thread(this::serveAll, "plog-connection-" + threads.size());
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        } else {
            notify();
        }
        return served;
    }

    private void serveAll() {
        for (Served next = next(); next != null; next = next()) {
            next.serve();
        }
    }

    /** Waits for a connection; null when the server is closing. */
    private synchronized @Nullable Served next() {
        while (unserved.isEmpty() && !stopping) {
            idle++;
            try {
                wait();
            } catch (InterruptedException e) {
                // No code of the server interrupts this thread.
            } finally {
                idle--;
            }
        }
        if (stopping) {
            return null;
        }
        Iterator<Served> all = unserved.iterator();
        Served first = all.next();
        all.remove();
        return first;
    }

    private synchronized void forget(Served served) {
        unserved.remove(served);
    }

    @Override
    public synchronized void stop() {
        stopping = true;
        notifyAll();
        threads.forEach(LockSupport::unpark);
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        List<Thread> all;
        synchronized (this) {
            all = List.copyOf(threads);
        }
        for (Thread thread : all) {
            thread.join();
        }
    }

    /** One connection, and the requests that its thread has yet to take. */
    private final class Served implements Serving {
        private final Accepted connection;
        private final RequestStack requests = new RequestStack();
        private volatile @Nullable Thread thread;
        private volatile boolean over;

        Served(Accepted connection) {
            this.connection = connection;
        }

        @Override
        public void take(PendingRequest request) {
            request.waits();
            if (requests.push(request)) {
                LockSupport.unpark(thread);
            }
        }

        @Override
        public boolean takesUnlogged() {
            return true;
        }

        @Override
        public void ended() {
            over = true;
            forget(this);
            LockSupport.unpark(thread);
        }

        /** Everything that was taken is served, also if the client has gone: on its thread. */
        void serve() {
            thread = Thread.currentThread();
            connection.openSoon();
            while (true) {
                boolean last = over || stopping; // read before the stack: no request follows once this is set
                PendingRequest request = requests.takeAll();
                if (request == null && last) {
                    return;
                }
                if (request == null) {
                    LockSupport.park(this);
                }
                while (request != null) {
                    PendingRequest next = request.next;
                    serve(request);
                    request = next;
                }
            }
        }

        private void serve(PendingRequest request) {
            try {
                if (stopping) {
                    request.refused(Status.SHUTTING_DOWN, "the server is closing");
                } else if (request.isUnlogged()) {
                    request.executeUnlogged();
                    request.finish();
                } else if (request.admit()) {
                    appendAndWait.accept(request);
                    request.executeIfStateless();
                    request.finish();
                }
            } catch (Throwable t) {
                connection.failed(t);
            }
        }
    }
}
