package io.plog.server;

/**
 * A thread for each connection, from when it is accepted to its end, which writes and forces each request itself. The
 * requests of all connections go through the log one after the other.
 */
final class ThreadsDesign implements Design {
    private final ConnectionThreads threads;

    /** @param most connections served at once; those beyond wait unread */
    ThreadsDesign(int most) {
        threads = new ConnectionThreads(most, PendingRequest::appendAlone);
    }

    @Override
    public Serving accept(Connection connection) {
        return threads.accept(connection);
    }

    @Override
    public boolean answersLater() {
        return true;
    }

    @Override
    public void stop() {
        threads.stop();
    }

    @Override
    public void awaitEnd() {
        threads.awaitEnd();
    }
}
