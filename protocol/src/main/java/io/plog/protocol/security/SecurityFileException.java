package io.plog.protocol.security;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A file of TLS, of a token or of rights cannot be used. The message is one line that names the file, what was found and what was
 * expected.
 */
public final class SecurityFileException extends IOException {
    SecurityFileException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    public SecurityFileException(String message) {
        super(message);
    }
}
