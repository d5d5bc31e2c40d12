package io.plog.server.connection;

import io.netty.util.concurrent.FastThreadLocal;
import io.plog.server.net.LoopAtDisk;
import io.plog.server.targets.RecordLog;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * While one connection is open and sends one request at a time, the event loop that read a request writes and forces it: it has
 * nobody else to serve, so no request is handed from thread to thread, and no thread looks for anything meanwhile. Otherwise
 * the log's own threads write and force, as in {@link DedicatedDesign}, and an event loop never waits for a disk. Nobody is given
 * to a loop that is with the disk: {@link LoopAtDisk} sees to that.
 */
final class AdaptiveDesign implements ServerDesign {
    /** After requests that came together so many more go to the log's threads, even if each of them is alone. */
    private static final int MEMORY = 64;

    private final LoopAtDisk atDisk;
    private final AtomicInteger connections = new AtomicInteger();

    /** Of one event loop each. */
    private final FastThreadLocal<Turn> turns = new FastThreadLocal<>() {
        @Override
        protected Turn initialValue() {
            return new Turn();
        }
    };

    /** @param atDisk what gives connections to event loops asks it */
    AdaptiveDesign(LoopAtDisk atDisk) {
        this.atDisk = atDisk;
    }

    @Override
    public Serving accept(Accepted connection) {
        connection.open();
        connections.incrementAndGet();
        Turn turn = turns.get();
        turn.loop = connection.loop();
        return new Served(turn);
    }

    /** What an event loop has read since it looked at its connections last. */
    private final class Turn implements Runnable {
        private @Nullable Executor loop;
        private @Nullable RecordLog log; // of a request that was alone when it came
        private boolean handedOver;
        private int together;

        void take(PendingRequest request) {
            RecordLog to = Objects.requireNonNull(request.target().log());
            Executor here = Objects.requireNonNull(loop);
            if (log == null && isAlone(to) && atDisk.mayWait(here)) {
                log = to;
                request.appendQuietly();
                here.execute(this);
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
            boolean alone = !handedOver;
            handedOver = false;
            if (alone && connections.get() == 1 && atDisk.begin(Objects.requireNonNull(loop))) {
                try {
                    quiet.commitHere();
                } finally {
                    atDisk.end();
                }
            } else {
                quiet.commitElsewhere(); // somebody else has come meanwhile, or is about to, or one more request of
                // the same
                together = MEMORY;
            }
        }
    }

    /** One connection of an event loop. */
    private final class Served implements Serving {
        private final Turn turn;

        Served(Turn turn) {
            this.turn = turn;
        }

        @Override
        public void take(PendingRequest request) {
            if (request.admit()) {
                turn.take(request);
                request.executeIfStateless();
            }
        }

        @Override
        public void ended() {
            connections.decrementAndGet();
        }
    }
}
