package io.plog.app.cli;

import io.plog.client.Credentials;
import io.plog.measure.HostPort;
import io.plog.measure.HttpService;
import io.plog.protocol.security.TlsFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How a client secures its connections, and what it shows of itself. */
public final class SecurityOptions {
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127\\.[0-9.]+|::1");

    @Option(
            names = "--tls",
            description = "Connect with TLS, and trust what this machine's Java trusts. --tls-ca means TLS, too.")
    private boolean isSecure;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "The token by which the server knows what this client may do, in one line. Only its owner and"
                    + " its group may read the file.")
    private @Nullable Path tokenFile;

    @Mixin
    private TlsOptions files;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /**
     * What the options name for this server, or these. Warns of a token that goes through a network in the clear.
     *
     * @throws IllegalArgumentException if options lack those that belong to them, or do not suit the server's URL
     */
    public Credentials credentials(String server) {
        TlsFiles tls = files.files();
        Credentials asked = new Credentials(
                isSecure || tls.authority() != null || tls.certificate() != null ? tls : null, tokenFile);
        HttpService http = HttpService.of(server);
        Credentials used = http == null ? asked : http.with(asked);
        List<HostPort> servers = http == null ? HostPort.parseAll(server) : List.of(http.address());
        if (used.tokenFile() != null
                && used.tls() == null
                && !servers.stream()
                        .allMatch(each -> LOOPBACK.matcher(each.host()).matches())) {
            command.commandLine()
                    .getErr()
                    .println("warning: the token goes to " + server
                            + " without TLS, and the network can read it: use --tls, or https://");
        }
        return used;
    }
}
