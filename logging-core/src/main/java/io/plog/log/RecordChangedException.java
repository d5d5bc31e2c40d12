package io.plog.log;

/**
 * The record is no longer what it was when {@code append} was called: somebody changed its buffers, or took away the memory
 * behind them, while they belonged to the log. The append was not written and has no place in the order; every other append
 * goes on as if this one had not been. Leave the buffers as they are until they are the caller's again, which each form of
 * {@code append} says, and append the record again.
 */
public final class RecordChangedException extends LogException {
    private static final long serialVersionUID = 1L;

    RecordChangedException(String message) {
        super(message);
    }

    RecordChangedException(String message, Throwable cause) {
        super(message, cause);
    }
}
