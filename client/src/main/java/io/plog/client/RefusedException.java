package io.plog.client;

import io.plog.protocol.Status;
import org.jspecify.annotations.Nullable;

/** The server answered with a status other than OK. */
public final class RefusedException extends RpcException {
    private final int status;

    RefusedException(int status, String message) {
        super(message, mayHaveBeenExecuted(status));
        this.status = status;
    }

    /** The status as the protocol numbers it; {@link Status#ofCode} names it. */
    public int status() {
        return status;
    }

    static String name(int status) {
        Status known = Status.ofCode(status);
        return known != null ? known.name() : "status " + status;
    }

    private static boolean mayHaveBeenExecuted(int status) {
        @Nullable Status known = Status.ofCode(status);
        return known == null || known.isIndeterminate();
    }
}
