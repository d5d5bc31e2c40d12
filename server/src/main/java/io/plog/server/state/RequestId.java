package io.plog.server.state;

import java.security.SecureRandom;

/** A request, as its client names it. */
public record RequestId(long client, long number) {
    /** Odd, and another one in each process. */
    private static final long FACTOR = new SecureRandom().nextLong() | 1;

    /** Strangers choose both numbers, and are not to choose where these meet in a table. */
    @Override
    public int hashCode() {
        return Long.hashCode((number ^ client * FACTOR) * FACTOR);
    }
}
