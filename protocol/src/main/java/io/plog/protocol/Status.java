package io.plog.protocol;

import org.jspecify.annotations.Nullable;

/** How a request ended. */
public enum Status {
    /** Durable as the target's way of forcing says, and executed. */
    OK(0),
    /** The server has no target of this id. */
    UNKNOWN_TARGET(1),
    /** The queue before the log is full; try again later. */
    OVERLOADED(2),
    /** The next segment cannot be had, for lack of space or open files; try again later. */
    LOG_FULL(3),
    /** A write or a force failed while the request was under way; the log is failed for good. */
    LOG_FAILED(4),
    /** The server is closing. */
    SHUTTING_DOWN(5),
    /** The payload is longer than this target's log takes. */
    TOO_LARGE(6),
    /** The server failed in another way. */
    FAILED(7),
    /** A flag or a record kind that this version does not support. */
    UNSUPPORTED(8),
    /** The number is older than what the server remembers of this client: not executed now, unknown whether before. */
    OUTDATED(9),
    /** The number was used before, for another request; this one is not executed. */
    CONFLICT(10),
    /** The log had failed before the request came: nothing of it was logged. */
    LOG_UNAVAILABLE(11),
    /** This server does not have the target's log: it is a standby, or another server took the log over. Ask another one. */
    NOT_SERVING(12),
    /** Too few of the machines that keep the target's log answer; it continues by itself when they do. */
    NO_QUORUM(13),
    /** The client may not do this on the target. */
    NOT_ALLOWED(14);

    private static final Status[] ALL = values();

    private final int code;

    Status(int code) {
        this.code = code;
    }

    /** The number on the wire. */
    public int code() {
        return code;
    }

    /**
     * Whether the request may have been logged and executed although it was not acknowledged: now, before, or by the replay
     * after the server's restart. For every other status but {@link #OK} it certainly was neither.
     */
    public boolean isIndeterminate() {
        return this == LOG_FAILED || this == FAILED || this == OUTDATED;
    }

    /** The constant with this number, or {@code null} if this version knows none. */
    public static @Nullable Status ofCode(int code) {
        return code >= 0 && code < ALL.length ? ALL[code] : null;
    }
}
