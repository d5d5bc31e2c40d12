package io.plog.client;

import io.plog.protocol.Hello;
import io.plog.protocol.security.Tls;
import java.security.SecureRandom;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a client connects and who it is.
 *
 * @param clientId the id that its requests carry, a u64; a server may answer a repeated number of the same client from
 *     memory, so a new client needs a new one
 * @param connectTimeout how long to wait for the connection, and again for the server's welcome; 1 ms to 1 h
 * @param tls how the connection is secured; null for one that is not
 * @param token by which the server knows what the client may do; "" for none
 */
public record ClientOptions(
        long clientId, Duration connectTimeout, @Nullable Tls tls, String token) {
    private static final SecureRandom RANDOM = new SecureRandom();

    /** @throws IllegalArgumentException if the duration or the token is out of its range */
    public ClientOptions {
        if (connectTimeout.compareTo(Duration.ofMillis(1)) < 0 || connectTimeout.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("connectTimeout is " + connectTimeout + ": expected 1 ms to 1 h");
        }
        if (token.length() > Hello.MAX_TOKEN_BYTES || !token.chars().allMatch(each -> each < 0x80)) {
            throw new IllegalArgumentException("the token has " + token.length() + " characters: expected at most "
                    + Hello.MAX_TOKEN_BYTES + ", all of them ASCII");
        }
    }

    public ClientOptions(long clientId, Duration connectTimeout) {
        this(clientId, connectTimeout, null, "");
    }

    /** A fresh client id, 5 s to connect, no TLS. */
    public static ClientOptions defaults() {
        return new ClientOptions(freshClientId(), Duration.ofSeconds(5));
    }

    public ClientOptions withClientId(long id) {
        return new ClientOptions(id, connectTimeout, tls, token);
    }

    public ClientOptions withTls(@Nullable Tls other) {
        return new ClientOptions(clientId, connectTimeout, other, token);
    }

    /** With a token, of at most 512 characters of ASCII; "" for none. */
    public ClientOptions withToken(String other) {
        return new ClientOptions(clientId, connectTimeout, tls, other);
    }

    /** A client id that no other client has: random, positive, and with room for a million successors. */
    public static long freshClientId() {
        long id = RANDOM.nextLong() >>> 1 & ~0xF_FFFFL;
        while (isOfHttpPort(id)) {
            id = RANDOM.nextLong() >>> 1 & ~0xF_FFFFL;
        }
        return id;
    }

    /** Ids that begin with "HTTP" or "HTTC" in ASCII are those of a server's HTTP port, which refuses them to others. */
    private static boolean isOfHttpPort(long id) {
        int upper = (int) (id >>> Integer.SIZE);
        return upper == 0x4854_5450 || upper == 0x4854_5443;
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "ClientOptions[clientId=" + Long.toUnsignedString(clientId) + ", connectTimeout=" + connectTimeout + "]";
    }

    public int connectTimeoutMillis() {
        return (int) connectTimeout.toMillis();
    }
}
