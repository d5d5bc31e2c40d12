package io.plog.client;

/**
 * A reply came that cannot be the answer to the request: another length, content, client or number. The server or the
 * network is at fault; nothing that this connection said should be relied on.
 */
public final class WrongReplyException extends RpcException {
    public WrongReplyException(String message) {
        super(message, true);
    }
}
