package io.plog.log;

import org.jspecify.annotations.Nullable;

/**
 * The log did not take a record, or did not do what else it was asked for. Nothing was written, and everything else goes on.
 * The nested classes say why, and so whether to try again makes sense.
 */
public abstract sealed class LogRefusedException extends LogException {
    private static final long serialVersionUID = 1L;

    private LogRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * The queue before the log is full, and the append was not to wait for room: the log was told to refuse
     * ({@link LogOptions.Overflow#REFUSE}), the append came from a callback, or the caller was interrupted while it waited. Try
     * again later.
     */
    public static final class QueueFull extends LogRefusedException {
        private static final long serialVersionUID = 1L;

        QueueFull(String message) {
            super(message, null);
        }
    }

    /**
     * There is no space for the next segment. What is in the log stays safe, and appends are accepted again as soon as there is
     * space.
     */
    public static final class NoSpace extends LogRefusedException {
        private static final long serialVersionUID = 1L;

        NoSpace(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * The process or the machine is short of something that the next segment of the log needs, such as open files or memory.
     * What is in the log stays safe, and appends are accepted again by themselves when there is enough of it.
     */
    public static final class Shortage extends LogRefusedException {
        private static final long serialVersionUID = 1L;

        Shortage(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** The log is closed, or was closed before this append reached it. */
    public static final class Closed extends LogRefusedException {
        private static final long serialVersionUID = 1L;

        Closed(String message) {
            super(message, null);
        }
    }

    /**
     * The record is no longer what it was when {@code append} was called: somebody changed its buffers, or took away the memory
     * behind them, while they belonged to the log. It has no place in the order; every other append goes on as if this one had
     * not been. Leave the buffers as they are until they are the caller's again, which each form of {@code append} says, and
     * append the record again.
     */
    public static final class RecordChanged extends LogRefusedException {
        private static final long serialVersionUID = 1L;

        RecordChanged(String message) {
            super(message, null);
        }

        RecordChanged(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
