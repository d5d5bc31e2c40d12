package io.plog.log;

import java.io.IOException;
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

    /** The exception for all appends after this error. */
    static LogFailedException because(Throwable cause, LogFailedException indescribable) {
        try {
            return new LogFailedException(
                    "the log is failed for good after an error (" + describe(cause)
                            + "); the outcome of what was being appended is unknown. Open it again to recover",
                    cause);
        } catch (Throwable wanting) {
            return indescribable;
        }
    }

    /** Made ahead of time, for an error after which there may be no heap left for {@link #because}. */
    static LogFailedException indescribable() {
        return new LogFailedException(
                "the log is failed for good after an error that could not be described, mostly for want of heap; the"
                        + " outcome of what was being appended is unknown. Open it again to recover");
    }

    /** The error in words. */
    static String describe(Throwable cause) {
        String message = cause.getMessage();
        return cause instanceof IOException && message != null ? message : cause.toString();
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
