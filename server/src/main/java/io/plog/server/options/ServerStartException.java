package io.plog.server.options;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The server cannot start for a reason outside of it: a directory, a port. The message is one line that says what was
 * found, what was expected and what to do.
 */
public final class ServerStartException extends IOException {
    public ServerStartException(String message) {
        super(message);
    }

    public ServerStartException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
