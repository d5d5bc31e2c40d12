package io.plog.server.connection;

/**
 * A thread for each connection, from when it is accepted to its end, which writes and forces each request itself. The
 * requests of all connections go through the log one after the other.
 */
final class ThreadsDesign extends ConnectionThreads {
    /** @param most connections served at once; those beyond wait unread */
    ThreadsDesign(int most) {
        super(most);
    }

    @Override
    void appendAndWait(PendingRequest request) {
        request.appendAlone();
    }
}
