package io.plog.client;

/**
 * A call of a {@link RetryingClient} ended without an acknowledgement: the deadline passed, the server refused it in a way
 * that another attempt would not change, or the client was closed. The cause is what went wrong last.
 *
 * <p>{@link #mayHaveBeenExecuted} speaks of all its transmissions together: it is false only if each one was certainly not
 * executed. If it is true, only the same request under the same client and number may be sent again.
 */
public final class CallFailedException extends RpcException {
    private final long clientId;
    private final long requestNumber;
    private final int transmissions;

    CallFailedException(
            String message,
            boolean mayHaveBeenExecuted,
            long clientId,
            long requestNumber,
            int transmissions,
            Throwable cause) {
        super(message, mayHaveBeenExecuted, cause);
        this.clientId = clientId;
        this.requestNumber = requestNumber;
        this.transmissions = transmissions;
    }

    /** The client's id, a u64. */
    public long clientId() {
        return clientId;
    }

    /** The client's number for the request, a u64. */
    public long requestNumber() {
        return requestNumber;
    }

    /** How often it was sent; 0 if never. */
    public int transmissions() {
        return transmissions;
    }
}
