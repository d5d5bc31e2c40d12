package io.plog.log;

/**
 * The queue before the log is full, and the append was not to wait for room: the log was told to refuse
 * ({@link Overflow#REFUSE}), the append came from a callback, or the caller was interrupted while it waited. The append was
 * not written; try again later.
 */
public final class LogOverloadedException extends LogException {
    private static final long serialVersionUID = 1L;

    LogOverloadedException(String message) {
        super(message);
    }

    LogOverloadedException(String message, Throwable cause) {
        super(message, cause);
    }
}
