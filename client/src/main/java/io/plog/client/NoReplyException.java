package io.plog.client;

/** No reply came: the connection ended, or time ran out. Whether the request was executed is open, unless it was not sent. */
public final class NoReplyException extends RpcException {
    /** How it ended, in words, and whether the request may have been executed. */
    public NoReplyException(String message, boolean mayHaveBeenExecuted) {
        super(message, mayHaveBeenExecuted);
    }

    /** How it ended, in words, and whether the request may have been executed. */
    public NoReplyException(String message, boolean mayHaveBeenExecuted, Throwable cause) {
        super(message, mayHaveBeenExecuted, cause);
    }
}
