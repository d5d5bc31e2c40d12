package io.plog.protocol.tls;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A file of TLS cannot be used. The message is one line that names the file, what was found and what was expected. */
public final class TlsException extends IOException {
    private static final long serialVersionUID = 1L;

    TlsException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    TlsException(String message) {
        super(message);
    }
}
