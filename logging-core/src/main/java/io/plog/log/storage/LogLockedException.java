package io.plog.log.storage;

/**
 * Another writer, in this process or another, has the log open. Nothing was touched.
 */
public final class LogLockedException extends LogException {
    /** For implementations of {@link Storage}. The message says who holds the lock, as far as that is known. */
    public LogLockedException(String message) {
        super(message);
    }

    LogLockedException(String message, Throwable cause) {
        super(message, cause);
    }
}
