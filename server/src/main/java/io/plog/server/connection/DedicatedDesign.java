package io.plog.server.connection;

/** The log's own threads write and force; all requests that wait share the next force. An event loop never waits. */
final class DedicatedDesign implements ServerDesign, ServerDesign.Serving {
    @Override
    public Serving accept(Accepted connection) {
        connection.open();
        return this;
    }

    @Override
    public void take(PendingRequest request) {
        if (request.admit()) {
            request.append();
            request.executeIfStateless();
        }
    }
}
