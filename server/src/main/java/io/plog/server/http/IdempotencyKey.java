package io.plog.server.http;

import io.plog.server.state.ClientKind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * An {@code Idempotency-Key} as client and number of a request: 96 bits of its SHA-256, so that nobody finds two keys that
 * are taken for each other.
 *
 * <p>Each key is a client of its own, since the numbers of one client are expected to ascend and those of a hash do not. Two keys
 * that share the 32 bits of the client are still told apart by their numbers.
 *
 * @param client its id
 * @param number the request's number
 */
public record IdempotencyKey(long client, long number) {
    /** Bytes of the longest key that is taken. */
    static final int MAX_BYTES = 255;

    /** The same key gives the same, on every server and at all times. */
    public static IdempotencyKey of(String key) {
        ByteBuffer hash = ByteBuffer.wrap(sha256().digest(key.getBytes(StandardCharsets.ISO_8859_1)));
        return new IdempotencyKey(ClientKind.HTTP_KEY.id(hash.getInt()), hash.getLong());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
