package io.plog.log;

import org.jspecify.annotations.Nullable;

/**
 * A write or a force failed and the log is failed for good: what the device holds is unknown until the log is opened
 * again. Every append that was waiting ends with this exception and the first cause; so does every later one, which was
 * certainly not logged. Nothing is acknowledged afterwards.
 */
public final class LogFailedException extends LogException {
    private static final long serialVersionUID = 1L;

    private final boolean indeterminate;

    LogFailedException(String message) {
        this(message, null, true);
    }

    LogFailedException(String message, @Nullable Throwable cause) {
        this(message, cause, true);
    }

    LogFailedException(String message, @Nullable Throwable cause, boolean indeterminate) {
        super(message, cause);
        this.indeterminate = indeterminate;
    }

    /**
     * {@code true} for an append that waited when the log failed: its bytes may have reached the device before. {@code false}
     * for one that came later: nothing of it was written.
     */
    @Override
    public boolean isIndeterminate() {
        return indeterminate;
    }
}
