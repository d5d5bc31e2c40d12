package io.plog.client;

import io.plog.protocol.tls.Tls;
import io.plog.protocol.tls.TlsFiles;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What a client secures its connections with, as names of files: so another process can be given it.
 *
 * @param tls the files of TLS, all of which may be missing; null for connections without TLS
 */
public record Credentials(@Nullable TlsFiles tls) {
    /** No TLS. */
    public static final Credentials NONE = new Credentials(null);

    /**
     * Reads the files.
     *
     * @return options with what they hold
     * @throws io.plog.protocol.tls.TlsException if one cannot be used
     * @throws IOException if one cannot be read
     */
    public ClientOptions in(ClientOptions options) throws IOException {
        return options.withTls(tls == null ? null : Tls.ofClient(tls));
    }
}
