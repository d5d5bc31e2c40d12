package io.plog.client;

/** As many requests are outstanding as the server allows: wait for a reply. The request was not sent. */
public final class TooManyOutstandingException extends RpcException {
    private static final long serialVersionUID = 1;

    TooManyOutstandingException(int limit) {
        super(limit + " requests are outstanding, as many as the server allows; wait for a reply", false);
    }
}
