package io.plog.log;

import io.plog.log.storage.LogException;

/**
 * A caller of {@link MessageLog#appendAndWait} was interrupted while it waited, and is still. The record's buffers are the caller's
 * again in any case.
 */
public final class AppendInterruptedException extends LogException {
    private final boolean indeterminate;

    AppendInterruptedException(String message, boolean indeterminate) {
        super(message);
        this.indeterminate = indeterminate;
    }

    @Override
    public boolean isIndeterminate() {
        return indeterminate;
    }
}
