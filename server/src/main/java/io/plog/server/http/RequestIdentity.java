package io.plog.server.http;

import io.plog.server.state.ClientKind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * Client and number of a request that may be sent again: as its header fields {@code Plog-Client} and {@code Plog-Request} say, or
 * made of its {@code Idempotency-Key}.
 *
 * <p>A key is a client of its own with one number: 96 bits of the key's SHA-256, so that two keys cannot be found that are taken for
 * each other. Two that share the 32 bits of the client share its place in memory, too, and are distinguished by their numbers.
 *
 * @param client its id
 * @param number the request's number
 */
public record RequestIdentity(long client, long number) {
    /** Bytes of the longest key that is taken. */
    public static final int MAX_KEY_BYTES = 255;

    /** Of a key: the same gives the same, on every server and at all times. */
    public static RequestIdentity ofKey(String key) {
        ByteBuffer hash = ByteBuffer.wrap(sha256().digest(key.getBytes(StandardCharsets.ISO_8859_1)));
        return new RequestIdentity(ClientKind.HTTP_KEY.id(hash.getInt()), hash.getLong());
    }

    /**
     * What the header fields say; {@code null} if there are none of them.
     *
     * @throws HttpException if they are malformed, contradict each other, or name a client whose id the server makes up
     */
    static @Nullable RequestIdentity of(@Nullable String key, @Nullable String client, @Nullable String request)
            throws HttpException {
        if (client == null && request == null) {
            return key == null ? null : ofKey(key);
        }
        if (client == null || request == null || key != null) {
            throw HttpException.malformed("an Idempotency-Key with Plog-Client or Plog-Request, or one of these two"
                    + " alone: expected the key, or both of the others");
        }
        RequestIdentity identity = new RequestIdentity(number("Plog-Client", client), number("Plog-Request", request));
        if (ClientKind.of(identity.client) != ClientKind.BINARY) {
            throw HttpException.malformed("Plog-Client: " + client
                    + ": is one of the ids that the server makes up for its HTTP port: choose another");
        }
        return identity;
    }

    /** Checks that this can be a key. */
    static void checkKey(String key) throws HttpException {
        boolean visible = key.chars().allMatch(c -> c >= ' ' && c < 0x7F);
        if (key.isEmpty() || key.length() > MAX_KEY_BYTES || !visible) {
            throw HttpException.malformed("an Idempotency-Key of " + key.length() + " characters: expected 1 to "
                    + MAX_KEY_BYTES + " of ASCII, none of them a control character");
        }
    }

    private static long number(String field, String value) throws HttpException {
        try {
            if (value.matches("[0-9]{1,20}")) {
                return Long.parseUnsignedLong(value);
            }
        } catch (NumberFormatException e) {
            // beyond 64 bits
        }
        throw HttpException.malformed(field + " of " + value.length()
                + " characters: expected a whole number from 0 to 18446744073709551615 in decimal digits");
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
