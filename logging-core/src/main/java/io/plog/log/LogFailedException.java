package io.plog.log;

import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A write or a force failed and the log is failed for good: what the device holds is unknown until the log is opened
 * again. Or a {@link LogDamagedException damaged record} was found while the log was at work. Every append that was waiting ends with this exception and the first cause; so does every later one, which was
 * certainly not logged. Nothing is acknowledged afterwards.
 */
public final class LogFailedException extends LogException {
    /** Why a log failed, as far as the reasons call for different decisions. */
    public enum Reason {
        /** A write or a force failed, or a record is damaged. */
        ERROR,
        /**
         * Another writer took the log over, or is about to; or the engine shut this one out by itself. {@link io.plog.log.spi.RemoteLog#checkHeld}
         * says whether another writer has it by now. If it is not for a while, it may be opened again.
         */
        FENCED,
        /** Too few of the machines that keep the log answer; when they do, the log can be opened again. */
        NO_QUORUM
    }

    private final boolean indeterminate;
    private final Reason reason;

    /** What was not described when it came, since there was no room for that; it is when somebody asks. */
    private @Nullable Throwable undescribed;

    LogFailedException(String message) {
        this(message, null, true);
    }

    LogFailedException(String message, @Nullable Throwable cause) {
        this(message, cause, true);
    }

    LogFailedException(String message, @Nullable Throwable cause, boolean indeterminate) {
        this(message, cause, indeterminate, Reason.ERROR);
    }

    /**
     * For a log of another kind.
     *
     * @param indeterminate whether the append that gets it may be in the log
     */
    public LogFailedException(String message, @Nullable Throwable cause, boolean indeterminate, Reason reason) {
        super(message, cause);
        this.indeterminate = indeterminate;
        this.reason = reason;
    }

    /** The exception for all appends after this error. */
    static LogFailedException because(Throwable cause, LogFailedException indescribable) {
        try {
            return new LogFailedException(sentence(describe(cause), cause), cause);
        } catch (Throwable shortage) {
            if (indescribable.undescribed == null) {
                indescribable.undescribed = cause;
            }
            return indescribable;
        }
    }

    private static String sentence(String description, Throwable cause) {
        return "the log is failed for good after an error (" + description
                + "); the outcome of what was being appended is unknown" + advice(cause);
    }

    @Override
    public String getMessage() {
        Throwable cause = undescribed;
        if (cause == null) {
            return String.valueOf(super.getMessage());
        }
        try {
            return sentence(describe(cause), cause);
        } catch (Throwable shortage) {
            return sentence(cause.getClass().getName(), cause);
        }
    }

    @Override
    public synchronized @Nullable Throwable getCause() {
        Throwable cause = undescribed;
        return cause == null ? super.getCause() : cause;
    }

    /** Made ahead of time, for an error after which there may be no heap or stack left for {@link #because}. */
    static LogFailedException indescribable() {
        return new LogFailedException("the log is failed for good");
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
