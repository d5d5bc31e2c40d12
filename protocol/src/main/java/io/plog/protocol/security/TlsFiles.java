package io.plog.protocol.security;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The files of one side of TLS, all of them PEM.
 *
 * @param certificate its certificate, followed by those that lead to its authority; null for a client without one
 * @param key the certificate's private key, PKCS #8 and not encrypted; null if there is no certificate
 * @param authority certificates of the authorities that sign what the other side shows. Null for a server that asks its clients
 *     for none, and for a client that trusts what the JDK trusts
 */
public record TlsFiles(
        @Nullable Path certificate,
        @Nullable Path key,
        @Nullable Path authority) {
    /** @throws IllegalArgumentException if there is only one of certificate and key */
    public TlsFiles {
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException(
                    "--tls-cert and --tls-key belong together: give both (one file may hold both), or neither");
        }
    }
}
