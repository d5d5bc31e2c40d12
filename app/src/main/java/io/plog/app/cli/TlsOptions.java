package io.plog.app.cli;

import io.plog.protocol.security.TlsFiles;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The files of TLS, of either side. */
public final class TlsOptions {
    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "This side's certificate for TLS, in PEM, followed by those that lead to its authority.")
    private @Nullable Path certificate;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "Its private key, in PEM (PKCS #8, not encrypted).")
    private @Nullable Path key;

    @Option(
            names = "--tls-ca",
            paramLabel = "FILE",
            description = "Certificates, in PEM, of the authorities of the other side: a client trusts servers with a"
                    + " certificate of these, a server demands one of its clients.")
    private @Nullable Path authority;

    /** Of a client, which needs none of them for TLS. */
    TlsFiles files() {
        return new TlsFiles(certificate, key, authority);
    }

    /**
     * Of a server; null for one without TLS.
     *
     * @throws IllegalArgumentException if options lack those that belong to them
     */
    public @Nullable TlsFiles ofServer() {
        if (certificate == null && authority != null) {
            throw new IllegalArgumentException(
                    "--tls-ca without --tls-cert and --tls-key: a server needs them for TLS");
        }
        return certificate == null && key == null ? null : files();
    }
}
