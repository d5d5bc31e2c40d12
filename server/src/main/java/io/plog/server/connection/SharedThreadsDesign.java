package io.plog.server.connection;

/**
 * A thread for each connection, from when it is accepted to its end. One of those that wait writes and forces for all of
 * them, or a thread of the log does.
 */
final class SharedThreadsDesign extends ConnectionThreads {
    /** @param most connections served at once; those beyond wait unread */
    SharedThreadsDesign(int most) {
        super(most);
    }

    @Override
    void appendAndWait(PendingRequest request) {
        request.appendShared();
    }
}
