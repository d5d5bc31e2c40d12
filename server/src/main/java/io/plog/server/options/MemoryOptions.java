package io.plog.server.options;

import java.time.Duration;

/**
 * How much a server remembers of what it answered, so that a repeated request is answered and not executed again.
 *
 * @param bytes of heap for all targets together, at least {@value #LEAST_BYTES}; 0 for a quarter of the heap that the process may have
 * @param clientBytes of heap for the clients of each target, without their answers: it decides how many clients a target
 *     remembers, each idempotency key of the HTTP port one of them; 0 for {@value #LEAST_CLIENTS} clients, or two for each connection that may be
 *     open, whichever is more. Lowering it between two starts lets clients be forgotten, and then they are new again
 * @param leastTime how long each client is remembered at least after its last request while the server runs, up to {@value #MOST_HOURS} h: new ones
 *     too fast for that are refused; 0 for no such promise
 */
public record MemoryOptions(long bytes, long clientBytes, Duration leastTime) {
    public static final long LEAST_BYTES = 1 << 20;
    public static final int MOST_HOURS = 1;
    public static final int DEFAULT_LEAST_SECONDS = 5;
    public static final int LEAST_CLIENTS = 32_768;

    /** Of heap for a client without answers, its place in the table of all included; measured by {@code MemoryTest}. */
    public static final int BYTES_OF_A_CLIENT = 240;

    /** A quarter of the heap, for {@value #DEFAULT_LEAST_SECONDS} s. */
    public static final MemoryOptions DEFAULT = new MemoryOptions(0, 0, Duration.ofSeconds(DEFAULT_LEAST_SECONDS));

    /** @throws IllegalArgumentException if a value is out of its range */
    public MemoryOptions {
        if (bytes != 0 && bytes < LEAST_BYTES) {
            throw new IllegalArgumentException("memory is " + bytes + " bytes: expected at least " + LEAST_BYTES
                    + ", or 0 for a quarter of the heap");
        }
        if (clientBytes < 0) {
            throw new IllegalArgumentException("clientBytes is " + clientBytes + ": expected 0 or more");
        }
        if (leastTime.isNegative() || leastTime.compareTo(Duration.ofHours(MOST_HOURS)) > 0) {
            throw new IllegalArgumentException("leastTime is " + leastTime.toMillis() + " ms: expected 1 ms to "
                    + MOST_HOURS * 3_600_000 + " ms, or 0 for no limit");
        }
    }
}
