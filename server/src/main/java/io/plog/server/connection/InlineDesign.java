package io.plog.server.connection;

/**
 * The event loop writes and forces each request itself, one after the other, and answers it before it looks at the next:
 * everybody else on the loop waits meanwhile.
 */
final class InlineDesign implements ServerDesign, ServerDesign.Serving {
    @Override
    public Serving accept(Accepted connection) {
        connection.open();
        return this;
    }

    @Override
    public void take(PendingRequest request) {
        if (request.admit()) {
            request.appendAlone();
            request.executeIfStateless();
            request.answerHere();
        }
    }
}
