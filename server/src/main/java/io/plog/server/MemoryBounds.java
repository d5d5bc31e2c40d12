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
 * @param keys idempotency keys of the HTTP port remembered, at least 1; they neither count as clients nor share their bytes
 */
record MemoryBounds(int window, int clients, long clientBytes, long allBytes, int keys) {
    /** As many as a connection may have outstanding by default, so that a client may send all of them again. */
    static final int WINDOW = 1_024;

    /** A connection may have 8 MiB outstanding by default. */
    private static final long CLIENT_BYTES = 8L << 20;

    private static final long ALL_BYTES = 64L << 20;
    private static final int LEAST_CLIENTS = 2_048;

    /** Each takes about half a kilobyte. */
    static final int KEYS = 16_384;

    MemoryBounds {
        if (window < 1 || clients < 1 || clientBytes < 0 || allBytes < 0 || keys < 1) {
            throw new IllegalArgumentException(
                    "bounds of " + window + " answers, " + clients + " clients, " + clientBytes + " and " + allBytes
                            + " bytes, " + keys + " keys: expected at least 1, 1, 0, 0 and 1");
        }
    }

    /** With as many keys as the server's. */
    MemoryBounds(int window, int clients, long clientBytes, long allBytes) {
        this(window, clients, clientBytes, allBytes, KEYS);
    }

    /** How many clients of this kind are remembered. */
    int clients(ClientKind kind) {
        return kind == ClientKind.HTTP_KEY ? keys : clients;
    }

    /** How many bytes of answers are stored for all clients of this kind: none for those that never ask again. */
    long allBytes(ClientKind kind) {
        return kind == ClientKind.HTTP_CONNECTION ? 0 : allBytes;
    }

    /** The server's: clients that are all connected at once are never forgotten for one another. */
    static MemoryBounds of(ServerOptions options) {
        return new MemoryBounds(WINDOW, Math.max(LEAST_CLIENTS, 2 * options.maxConnections()), CLIENT_BYTES, ALL_BYTES);
    }
}
