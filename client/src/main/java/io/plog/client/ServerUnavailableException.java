package io.plog.client;

/** No server is at that address now: try again later, or elsewhere. No request was sent. */
public final class ServerUnavailableException extends RpcException {
    ServerUnavailableException(String message) {
        super(message, false);
    }

    ServerUnavailableException(String message, Throwable cause) {
        super(message, false, cause);
    }
}
