package io.plog.client;

/**
 * Somebody answers at that address, but not in our version of the plog protocol, not with the TLS that was expected, or not to this
 * client. No request was sent, and another attempt would end likewise.
 */
public final class IncompatibleServerException extends RpcException {
    IncompatibleServerException(String message) {
        super(message, false);
    }
}
