package io.plog.log;

/**
 * A caller of {@link MessageLog#appendAndWait} was interrupted while it waited. The record's buffers are the caller's again
 * in any case.
 */
public final class AppendInterruptedException extends InterruptedException {
    private static final long serialVersionUID = 1L;

    private final boolean indeterminate;

    AppendInterruptedException(String message, boolean indeterminate) {
        super(message);
        this.indeterminate = indeterminate;
    }

    /**
     * Whether the record may be in the log, as {@link LogException#isIndeterminate} says it of other outcomes. {@code false}
     * means that it certainly is not and will not be.
     */
    public boolean isIndeterminate() {
        return indeterminate;
    }
}
