package io.plog.log;

/**
 * The queue before the log is full and the log was told to refuse ({@link Overflow#REFUSE}). The append was not
 * written; try again later.
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
