package io.plog.client;

import io.plog.protocol.security.SecretFile;
import io.plog.protocol.security.Tls;
import io.plog.protocol.security.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a client secures its connections with and shows of itself, as names of files: so another process can be given it.
 *
 * @param tls the files of TLS, all of which may be missing; null for connections without TLS
 * @param tokenFile holds the client's token in one line; null for none
 */
public record Credentials(@Nullable TlsFiles tls, @Nullable Path tokenFile) {
    public static final Credentials NONE = new Credentials(null, null);

    /**
     * Reads the files.
     *
     * @return options with what they hold
     * @throws io.plog.protocol.security.SecurityFileException if one cannot be used
     * @throws IOException if one cannot be read
     */
    public ClientOptions in(ClientOptions options) throws IOException {
        return options.withTls(tls == null ? null : Tls.ofClient(tls))
                .withToken(tokenFile == null ? "" : SecretFile.token(tokenFile));
    }
}
