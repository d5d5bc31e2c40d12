package io.plog.log.storage;

import org.jspecify.annotations.Nullable;

/**
 * The log refused a record or another operation. Nothing was written, and the log continues to work. The nested classes name
 * the reason, and so whether a retry makes sense.
 */
public abstract sealed class LogRefusedException extends LogException {
    private LogRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * The queue before the log is full, and the append was not to wait for room: the log is set to refuse
     * ({@link io.plog.log.LogOptions.Overflow#REFUSE}), the append came from a callback, or the caller was interrupted while it waited. Try
     * again later.
     */
    public static final class QueueFull extends LogRefusedException {
        public QueueFull(String message) {
            super(message, null);
        }
    }

    /**
     * There is no space for the next segment, or its directory is not writable any more. What is in the log stays safe, and appends
     * are accepted again as soon as that is mended.
     */
    public static final class NoSpace extends LogRefusedException {
        public NoSpace(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * The process or the machine is short of something that the next segment of the log needs, such as open files or memory.
     * What is in the log stays safe, and appends are accepted again by themselves when there is enough of it.
     */
    public static final class Shortage extends LogRefusedException {
        public Shortage(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** The log is closed, or was closed before this append reached it. */
    public static final class Closed extends LogRefusedException {
        public Closed(String message) {
            super(message, null);
        }
    }

    /**
     * The record changed after {@code append} was called: its buffers were changed, or their memory was released, while they
     * belonged to the log. The record has no place in the order; other appends are not affected. Do not change the buffers
     * until they are the caller's again (each form of {@code append} says when), and append the record again.
     */
    public static final class RecordChanged extends LogRefusedException {
        public RecordChanged(String message) {
            super(message, null);
        }

        public RecordChanged(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * The first record would not have got the index that its caller expected: an append before it was refused, or somebody else
     * appends, too. Wait for the outcome of what is under way, and begin again behind {@link io.plog.log.DurableLog#durableIndex}.
     */
    public static final class UnexpectedIndex extends LogRefusedException {
        private final long expected;
        private final long next;

        public UnexpectedIndex(long expected, long next) {
            super("index " + expected + " was expected, the next is " + next + "; nothing was written", null);
            this.expected = expected;
            this.next = next;
        }

        /** The index that the caller expected for its first record. */
        public long expected() {
            return expected;
        }

        /** The index that this record would have got. */
        public long next() {
            return next;
        }
    }

    /**
     * A state changed while it was saved as a checkpoint: its buffers belong to the log until {@link io.plog.log.DurableLog#saveCheckpoint}
     * returns. The checkpoint before is still the last one. Save a state that does not change meanwhile.
     */
    public static final class StateChanged extends LogRefusedException {
        StateChanged(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
