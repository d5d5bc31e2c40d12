package io.plog.client;

import java.time.Duration;

/** Learns what a {@link RetryingClient} does about failures that are seen nowhere else. */
@FunctionalInterface
public interface RetryListener {
    RetryListener NONE = (why, pause) -> {};

    /**
     * Something failed and will be tried again. Called on the client's event loop; must be quick. What it throws goes to the
     * thread's handler of uncaught exceptions.
     *
     * @param why a connection could not be made or was lost, or a request was refused
     * @param pause until the next attempt
     */
    void retrying(RpcException why, Duration pause);
}
