package io.plog.server;

/**
 * How much a target remembers of what it answered. All of it is applied in log order only, so that a replay forgets exactly
 * what was forgotten before.
 *
 * @param window answers remembered of each client, at least 1
 * @param clients clients remembered, at least 1; the one whose last request lies furthest back in the log is forgotten first
 * @param clientBytes bytes of stored answers of one client, beyond which its oldest are forgotten; its newest stays
 * @param allBytes bytes of stored answers of all clients, beyond which the oldest answers of the client whose last request
 *     lies furthest back are forgotten; the newest of all stays
 */
record MemoryBounds(int window, int clients, long clientBytes, long allBytes) {
    /** As many as a connection may have outstanding by default, so that a client may send all of them again. */
    static final int WINDOW = 1_024;

    /** A connection may have 8 MiB outstanding by default. */
    private static final long CLIENT_BYTES = 8L << 20;

    private static final long ALL_BYTES = 64L << 20;
    private static final int LEAST_CLIENTS = 2_048;

    MemoryBounds {
        if (window < 1 || clients < 1 || clientBytes < 0 || allBytes < 0) {
            throw new IllegalArgumentException("bounds of " + window + " answers, " + clients + " clients, "
                    + clientBytes + " and " + allBytes + " bytes: expected at least 1, 1, 0 and 0");
        }
    }

    /** The server's: clients that are all connected at once are never forgotten for one another. */
    static MemoryBounds of(ServerOptions options) {
        return new MemoryBounds(WINDOW, Math.max(LEAST_CLIENTS, 2 * options.maxConnections()), CLIENT_BYTES, ALL_BYTES);
    }
}
