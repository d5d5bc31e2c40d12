package io.plog.server.state;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A request, as its client names it. A client of the HTTP port may name it by an {@code Idempotency-Key}:
 * a key is a client of its own with one number: 96 bits of the key's SHA-256, so that two keys cannot be found that are taken for
 * each other. Two that share the 32 bits of the client share its place in memory, too, and are distinguished by their numbers.
 *
 * @param client its id
 * @param number the request's number
 */
public record RequestId(long client, long number) {
    public static final int MAX_KEY_BYTES = 255;

    /** Of a key: the same gives the same, on every server and at all times. */
    public static RequestId ofKey(String key) {
        ByteBuffer hash = ByteBuffer.wrap(sha256().digest(key.getBytes(StandardCharsets.ISO_8859_1)));
        return new RequestId(ClientKind.HTTP_KEY.id(hash.getInt()), hash.getLong());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
