package io.plog.log.storage;

import org.jspecify.annotations.Nullable;

/**
 * Something about the log went wrong. Each subclass is a different decision for the caller.
 */
public class LogException extends java.io.IOException {
    public LogException(String message) {
        super(message);
    }

    public LogException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * Whether the append that ended with this exception may nevertheless be in the log, and so come back after a
     * restart. {@code false} means that it certainly was not and will not be.
     */
    public boolean isIndeterminate() {
        return false;
    }
}
