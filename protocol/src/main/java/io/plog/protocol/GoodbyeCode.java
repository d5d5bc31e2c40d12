package io.plog.protocol;

import org.jspecify.annotations.Nullable;

/** Why a server ends a connection. */
public enum GoodbyeCode {
    /** The server does not speak the version of the HELLO. */
    VERSION(1),
    /** Any violation of the protocol. */
    MALFORMED(2),
    /** A length over the limit. */
    TOO_LARGE(3),
    /** A frame or a HELLO that did not arrive in time. */
    IDLE(4),
    /** The server is closing. */
    SHUTTING_DOWN(5),
    /** More connections, or more requests outstanding, than the server allows. */
    TOO_MANY(6),
    /** One side speaks with TLS, the other one without. */
    TLS(7),
    /** The server does not know the client, neither by a token nor by a certificate. */
    NOT_ALLOWED(8);

    private static final GoodbyeCode[] ALL = values();

    private final int code;

    GoodbyeCode(int code) {
        this.code = code;
    }

    /** The number on the wire. */
    public int code() {
        return code;
    }

    /** The constant with this number, or {@code null} if this version knows none. */
    public static @Nullable GoodbyeCode ofCode(int code) {
        return code >= 1 && code <= ALL.length ? ALL[code - 1] : null;
    }
}
