package io.plog.app.cli;

import io.plog.client.Credentials;
import io.plog.protocol.security.TlsFiles;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a client secures its connections, and what it shows of itself. */
public final class SecurityOptions {
    @Option(
            names = "--tls",
            order = HelpGroups.WHERE,
            description = "Connect with TLS, and trust what this machine's Java trusts. --tls-ca means TLS, too.")
    private boolean isSecure;

    @Option(
            names = "--token-file",
            order = HelpGroups.WHERE,
            paramLabel = "FILE",
            description = "The token by which the server knows what this client may do, in one line. Only its owner and"
                    + " its group may read the file.")
    private @Nullable Path tokenFile;

    @Mixin
    private TlsOptions files;

    /**
     * What the options name.
     *
     * @throws IllegalArgumentException if options lack those that belong to them
     */
    public Credentials credentials() {
        TlsFiles tls = files.files();
        return new Credentials(
                isSecure || tls.authority() != null || tls.certificate() != null ? tls : null, tokenFile);
    }
}
