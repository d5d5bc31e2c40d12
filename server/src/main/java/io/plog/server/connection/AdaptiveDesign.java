package io.plog.server.connection;

import io.netty.util.concurrent.FastThreadLocal;
import io.plog.server.targets.RecordLog;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * While one connection is open and sends one request at a time, the event loop that read a request writes and forces it: it has
 * nobody else to serve, so no request is handed from thread to thread, and no thread looks for anything meanwhile. Otherwise
 * the log's own threads write and force, as in {@link DedicatedDesign}, and an event loop never waits for a disk.
 */
final class AdaptiveDesign implements ServerDesign {
    /** After requests that came together so many more go to the log's threads, even if each of them is alone. */
    private static final int MEMORY = 64;

    private final AtomicInteger connections = new AtomicInteger();

    /** Of one event loop each. */
    private final FastThreadLocal<Turn> turns = new FastThreadLocal<>() {
        @Override
        protected Turn initialValue() {
            return new Turn();
        }
    };

    @Override
    public Serving accept(Accepted connection) {
        connection.open();
        connections.incrementAndGet();
        return new Served(turns.get(), connection.loop());
    }

    @Override
    public void stop() {}

    @Override
    public void awaitEnd() {}

    /** What an event loop has read since it looked at its connections last. */
    private final class Turn implements Runnable {
        private @Nullable RecordLog log; // of a request that was alone when it came
        private boolean handedOver;
        private int together;

        void take(PendingRequest request, Executor loop) {
            RecordLog to = Objects.requireNonNull(request.target().log());
            if (log == null && isAlone(to)) {
                log = to;
                request.appendQuietly();
                loop.execute(this);
            } else {
                request.append(); // a thread of this log takes the quiet one along
                handedOver |= to.equals(log);
            }
        }

        private boolean isAlone(RecordLog to) {
            if (connections.get() > 1 || to.queuedRecords() > 0) {
                together = MEMORY;
                return false;
            }
            return together == 0 || --together == 0;
        }

        /** A task of an event loop runs when all that was ready has been read. */
        @Override
        public void run() {
            RecordLog quiet = Objects.requireNonNull(log);
            log = null;
            if (handedOver) {
                handedOver = false;
                together = MEMORY;
            } else {
                quiet.commitHere();
            }
        }
    }

    /** One connection of an event loop. */
    private final class Served implements Serving {
        private final Turn turn;
        private final Executor loop;

        Served(Turn turn, Executor loop) {
            this.turn = turn;
            this.loop = loop;
        }

        @Override
        public void take(PendingRequest request) {
            if (request.admit()) {
                turn.take(request, loop);
                request.executeIfStateless();
            }
        }

        @Override
        public boolean takesUnlogged() {
            return false;
        }

        @Override
        public void ended() {
            connections.decrementAndGet();
        }
    }
}
