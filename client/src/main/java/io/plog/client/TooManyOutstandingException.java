package io.plog.client;

/** As many requests are outstanding as the server, or the client, allows: wait for a reply. It was not sent. */
public final class TooManyOutstandingException extends RpcException {
    private static final long serialVersionUID = 1;

    TooManyOutstandingException(int limit) {
        super(limit + " requests are outstanding, as many as the server allows; wait for a reply", false);
    }

    TooManyOutstandingException(int calls, long bytes) {
        super(
                calls + " calls with " + bytes + " bytes are unfinished, as many as the options allow; wait for one",
                false);
    }
}
