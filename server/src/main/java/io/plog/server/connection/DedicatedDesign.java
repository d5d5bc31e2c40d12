package io.plog.server.connection;

import io.plog.server.net.EventLoopChooser;
import org.jspecify.annotations.Nullable;

/**
 * The log's own threads write and force; all requests that wait share the next force, and an event loop never waits.
 *
 * <p>But while one connection is open, and sends one request at a time, its event loop has nobody else to serve: it writes and
 * forces the request itself, so nothing is handed from thread to thread, and no thread looks for anything meanwhile.
 */
final class DedicatedDesign implements ServerDesign {
    /** After requests that came together so many more go to the log's threads, even if each of them is alone. */
    private static final int MEMORY = 64;

    /** A service that takes longer is executed while another thread forces: to hand a request over costs about as much. */
    private static final long QUICK_NANOS = 30_000;

    private final EventLoopChooser chooser;

    /** @param chooser of the server's event loops */
    DedicatedDesign(EventLoopChooser chooser) {
        this.chooser = chooser;
    }

    @Override
    public Serving accept(Accepted connection) {
        connection.open();
        return new Served(connection);
    }

    private final class Served implements Serving, Runnable {
        private final Accepted connection;
        private @Nullable PendingRequest alone; // admitted, and not appended before all that was ready has been read
        private int together;

        Served(Accepted connection) {
            this.connection = connection;
        }

        @Override
        public void take(PendingRequest request) {
            if (!request.admit()) {
                return;
            }
            if (alone != null) {
                together = MEMORY;
                append();
            }
            if (together == 0 && connection.outstanding() == 1 && chooser.mayWaitForDisk()) {
                alone = request;
                connection.loop().execute(this); // runs when all that was ready has been read
            } else {
                together = Math.max(0, together - 1);
                append(request);
            }
        }

        private void append() {
            PendingRequest request = alone;
            alone = null;
            if (request != null) {
                append(request);
            }
        }

        private void append(PendingRequest request) {
            request.append();
            request.executeIfStateless();
        }

        /** What it throws would otherwise leave the client without an answer, since this is a task of the loop. */
        @Override
        public void run() {
            try {
                appendAlone();
            } catch (Throwable t) {
                connection.failed(t);
            }
        }

        private void appendAlone() {
            PendingRequest request = alone;
            if (request == null) {
                return; // it had company
            }
            if (!chooser.beginDiskWait(connection.loop())) {
                append();
                return;
            }
            alone = null;
            try {
                long began = System.nanoTime();
                request.executeIfStateless();
                if (System.nanoTime() - began > QUICK_NANOS) {
                    together = MEMORY;
                }
                request.appendAndWait();
            } finally {
                chooser.endDiskWait();
            }
            request.answerHere();
        }

        @Override
        public void ended() {
            append();
        }
    }
}
