package io.plog.server.connection;

import io.netty.util.concurrent.FastThreadLocal;
import io.plog.server.targets.RecordLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * The event loop appends all that it reads in one turn, then writes and forces it once on its own thread, answers it all, and looks
 * at its connections again. So a request is never handed from thread to thread, and nobody looks for anything meanwhile.
 */
final class TurnDesign implements ServerDesign {
    /** Of one event loop each. */
    private final FastThreadLocal<Turn> turns = new FastThreadLocal<>() {
        @Override
        protected Turn initialValue() {
            return new Turn();
        }
    };

    @Override
    public Serving accept(Accepted connection) {
        connection.readOnceATurn(); // what a client sends after its answer belongs to the next turn
        connection.open();
        return new Served(turns.get(), connection.loop());
    }

    /** The logs that one event loop has appended to since it committed last. */
    private static final class Turn implements Runnable {
        private final List<RecordLog> appended = new ArrayList<>();

        /** A task of an event loop runs when all that was ready has been read. */
        void appended(RecordLog log, Executor loop) {
            if (appended.contains(log)) {
                return;
            }
            appended.add(log);
            if (appended.size() == 1) {
                loop.execute(this);
            }
        }

        @Override
        public void run() {
            for (int i = 0; i < appended.size(); i++) {
                appended.get(i).commitHere();
            }
            appended.clear();
        }
    }

    /** One connection of an event loop. */
    private record Served(Turn turn, Executor loop) implements Serving {
        @Override
        public void take(PendingRequest request) {
            if (request.admit()) {
                request.appendQuietly();
                request.executeIfStateless();
                turn.appended(Objects.requireNonNull(request.target().log()), loop);
            }
        }
    }
}
