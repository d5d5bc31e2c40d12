package io.plog.log;

/**
 * The process or the machine is short of something that is needed for the next segment of the log, such as open files or
 * memory. The append was not written; what is in the log stays safe, and appends are accepted again by themselves when there is
 * enough of it.
 */
public final class LogShortageException extends LogException {
    private static final long serialVersionUID = 1L;

    LogShortageException(String message) {
        super(message);
    }

    LogShortageException(String message, Throwable cause) {
        super(message, cause);
    }
}
