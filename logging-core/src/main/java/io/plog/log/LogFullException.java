package io.plog.log;

/**
 * There is no space for the next segment. The append was not written; what is in the log stays safe, and appends are
 * accepted again as soon as there is space.
 */
public final class LogFullException extends LogException {
    private static final long serialVersionUID = 1L;

    LogFullException(String message) {
        super(message);
    }

    LogFullException(String message, Throwable cause) {
        super(message, cause);
    }
}
