package io.plog.server.state;

/**
 * How much a target remembers of what it answered. The bounds are applied in log order only, so that a replay forgets
 * exactly the same answers.
 *
 * <p>A client that is forgotten is new again; so {@code clients} depends on options alone, never on the heap that a process happens
 * to have. An answer that is forgotten leaves its number outdated; so bytes may depend on the heap.
 *
 * @param window answers remembered of each client, at least 1
 * @param clients clients remembered, at least 1, each idempotency key one of them; the one whose last request lies furthest back in the log is forgotten first
 * @param clientBytes bytes of stored answers of one client, beyond which its oldest are forgotten; its newest stays
 * @param answerBytes bytes of heap for the answers of all clients, beyond which the oldest answers of the client whose last
 *     request lies furthest back are forgotten; the newest of all stays
 * @param leastNanos how long each is remembered at least after its last request while the server runs, in nanoseconds: new ones
 *     that come too fast for that are refused; 0 for no such promise
 */
public record MemoryBounds(int window, int clients, long clientBytes, long answerBytes, long leastNanos) {
    /** Answers of a client: a connection may have as many requests outstanding by default, so that a client may send all of them again. */
    public static final int WINDOW = 1_024;

    /** Of the answers of a client, and so of what a connection may have outstanding by default. */
    public static final int CLIENT_BYTES = 8 << 20;

    public MemoryBounds {
        if (window < 1 || clients < 1 || clientBytes < 0 || answerBytes < 0) {
            throw new IllegalArgumentException("bounds of " + window + " answers, " + clients + " clients, "
                    + clientBytes + " and " + answerBytes + " bytes: expected at least 1, 1, 0 and 0");
        }
    }

    /**
     * What all servers of one log must have in common, in a word: if one forgot a request that another remembers, a repetition of it would
     * be executed again after a takeover. Bytes of heap are not part of it, since they leave a request outdated.
     */
    public String common() {
        return "window=" + window + ",clients=" + clients + ",client-bytes=" + clientBytes + ",least-time="
                + leastNanos / 1_000_000 + "ms";
    }

    public MemoryBounds(int window, int clients, long clientBytes, long answerBytes) {
        this(window, clients, clientBytes, answerBytes, 0);
    }
}
