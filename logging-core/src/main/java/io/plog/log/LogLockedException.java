package io.plog.log;

/**
 * Another writer, in this process or another, has the log open. Nothing was touched.
 */
public final class LogLockedException extends LogException {
    private static final long serialVersionUID = 1L;

    LogLockedException(String message) {
        super(message);
    }

    LogLockedException(String message, Throwable cause) {
        super(message, cause);
    }
}
