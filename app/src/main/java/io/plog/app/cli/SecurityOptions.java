package io.plog.app.cli;

import io.plog.client.Credentials;
import io.plog.protocol.tls.TlsFiles;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a client secures its connections. */
public final class SecurityOptions {
    @Option(
            names = "--tls",
            order = HelpGroups.WHERE,
            description = "Connect with TLS, and trust what this machine's Java trusts. --tls-ca means TLS, too.")
    private boolean isSecure;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private TlsOptions files;

    /**
     * What the options name.
     *
     * @throws IllegalArgumentException if options lack those that belong to them
     */
    public Credentials credentials() {
        TlsFiles tls = files.files();
        return new Credentials(isSecure || tls.authority() != null || tls.certificate() != null ? tls : null);
    }
}
