package io.plog.client;

import java.io.IOException;

/**
 * A call, or the connection it needs, failed. The subclass says what the caller can do; {@link #mayHaveBeenExecuted}
 * says whether the server may have logged and executed the request all the same. The message is one line for people.
 */
public abstract sealed class RpcException extends IOException
        permits CallFailedException,
                ServerUnavailableException,
                IncompatibleServerException,
                NoReplyException,
                RefusedException,
                TooManyOutstandingException,
                WrongReplyException {
    private final boolean mayHaveBeenExecuted;

    RpcException(String message, boolean mayHaveBeenExecuted) {
        super(message);
        this.mayHaveBeenExecuted = mayHaveBeenExecuted;
    }

    RpcException(String message, boolean mayHaveBeenExecuted, Throwable cause) {
        super(message, cause);
        this.mayHaveBeenExecuted = mayHaveBeenExecuted;
    }

    /**
     * Whether the request may have been logged and executed. If not, it may be sent again under any number; if so, only
     * under the same one.
     */
    public final boolean mayHaveBeenExecuted() {
        return mayHaveBeenExecuted;
    }
}
