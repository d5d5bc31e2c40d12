package io.plog.log;

/**
 * The log was closed before this append reached it. The append was not written.
 */
public final class LogClosedException extends LogException {
    private static final long serialVersionUID = 1L;

    LogClosedException(String message) {
        super(message);
    }

    LogClosedException(String message, Throwable cause) {
        super(message, cause);
    }
}
