package io.plog.client;

/** Somebody answers at that address, but not in our version of the plog protocol. No request was sent. */
public final class IncompatibleServerException extends RpcException {
    private static final long serialVersionUID = 1;

    IncompatibleServerException(String message) {
        super(message, false);
    }
}
