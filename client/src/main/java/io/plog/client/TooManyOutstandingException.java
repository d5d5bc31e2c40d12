package io.plog.client;

/** As many calls are unfinished as the options allow: wait for one. It was not sent. */
public final class TooManyOutstandingException extends RpcException {
    TooManyOutstandingException(int calls, long bytes) {
        super(
                calls + " calls with " + bytes + " bytes are unfinished, as many as the options allow; wait for one",
                false);
    }
}
