package io.plog.log;

/** What an append does when the queue before the log is full. */
public enum Overflow {
    /** The caller waits until there is room. Never choose this on a thread that must not block. */
    WAIT,
    /** The append is refused at once with {@link LogOverloadedException}; nothing was written. */
    REFUSE
}
