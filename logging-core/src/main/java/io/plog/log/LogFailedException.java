package io.plog.log;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A write or a force failed and the log is failed for good: what the device holds is unknown until the log is opened
 * again. Or a {@link LogDamagedException damaged record} was found while the log was at work. Every append that was waiting ends with this exception and the first cause; so does every later one, which was
 * certainly not logged. Nothing is acknowledged afterwards.
 */
public final class LogFailedException extends LogException {
    private static final long serialVersionUID = 1L;

    /** Why a log failed, as far as the reasons call for different decisions. */
    public enum Reason {
        /** A write or a force failed, or a record is damaged. */
        ERROR,
        /**
         * Another writer took the log over, or is about to; or the engine shut this one out by itself. {@link DurableLog#checkHeld}
         * tells whether it is another writer's by now. If it is not for a while, {@link DurableLog#recoverInPlace} may succeed.
         */
        FENCED,
        /** Too few of the machines that keep the log answer; {@link DurableLog#recoverInPlace} may succeed when they do. */
        NO_QUORUM
    }

    private final boolean indeterminate;
    private final Reason reason;

    LogFailedException(String message) {
        this(message, null, true);
    }

    LogFailedException(String message, @Nullable Throwable cause) {
        this(message, cause, true);
    }

    LogFailedException(String message, @Nullable Throwable cause, boolean indeterminate) {
        this(message, cause, indeterminate, Reason.ERROR);
    }

    LogFailedException(String message, @Nullable Throwable cause, boolean indeterminate, Reason reason) {
        super(message, cause);
        this.indeterminate = indeterminate;
        this.reason = reason;
    }

    /** The exception for all appends after this error. */
    static LogFailedException because(Throwable cause, LogFailedException indescribable) {
        try {
            return new LogFailedException(
                    "the log is failed for good after an error (" + describe(cause)
                            + "); the outcome of what was being appended is unknown" + advice(cause),
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

    /** What to do, as the end of a sentence and maybe another one: damage is not recovered from, and says what to do itself. */
    static String advice(Throwable cause) {
        return cause instanceof LogDamagedException ? "" : ". Open it again to recover";
    }

    /** The error in words. */
    static String describe(Throwable cause) {
        String message = cause.getMessage();
        return cause instanceof IOException && message != null ? message : cause.toString();
    }

    /** Why the log failed. */
    public Reason reason() {
        return reason;
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
