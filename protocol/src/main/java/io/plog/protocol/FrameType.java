package io.plog.protocol;

import org.jspecify.annotations.Nullable;

/** The kinds of frame, with the bounds of their {@code length} field. */
public enum FrameType {
    /** A client's first frame. */
    HELLO(1, 8, 12 + Hello.MAX_TOKEN_BYTES),
    /** The server's answer to it. */
    WELCOME(2, 16, 65_536),
    /** A request; its upper bound is this one plus the payload limit. */
    REQUEST(3, 84, 84),
    /** A reply; its upper bound is this one plus the payload limit, or what the longest sentence of a refusal takes. */
    REPLY(4, 84, 84),
    /** The server's last frame before it closes. */
    GOODBYE(5, 6, 1_024);

    private static final FrameType[] ALL = values();

    private final int code;
    private final int minLength;
    private final int maxLength;

    FrameType(int code, int minLength, int maxLength) {
        this.code = code;
        this.minLength = minLength;
        this.maxLength = maxLength;
    }

    /** The number on the wire. */
    public int code() {
        return code;
    }

    /** The type with this number, or {@code null} if there is none. */
    public static @Nullable FrameType ofCode(int code) {
        return code >= 1 && code <= ALL.length ? ALL[code - 1] : null;
    }

    /** The least value of {@code length}, in bytes. */
    int minLength() {
        return minLength;
    }

    /** The greatest value of {@code length}, in bytes, with this payload limit. */
    int maxLength(int maxPayloadBytes) {
        return switch (this) {
            case REQUEST -> maxLength + maxPayloadBytes;
            case REPLY -> maxLength + Math.max(maxPayloadBytes, ReplyHeader.MAX_SENTENCE_BYTES);
            default -> maxLength;
        };
    }
}
