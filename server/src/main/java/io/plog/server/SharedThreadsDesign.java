package io.plog.server;

/**
 * A thread for each connection, from when it is accepted to its end. One of those that wait writes and forces for all of
 * them, or a thread of the log does.
 */
final class SharedThreadsDesign implements Design {
    private final ConnectionThreads threads;

    /** @param most connections served at once; those beyond wait unread */
    SharedThreadsDesign(int most) {
        threads = new ConnectionThreads(most, PendingRequest::appendShared);
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
