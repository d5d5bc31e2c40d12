package io.plog.app.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.JsonText;
import io.plog.app.cli.ProgressPrinter;
import io.plog.app.cli.SecurityOptions;
import io.plog.client.CallFailedException;
import io.plog.client.ClientOptions;
import io.plog.client.RefusedException;
import io.plog.client.Reply;
import io.plog.client.RetryListener;
import io.plog.client.RetryOptions;
import io.plog.client.RetryingClient;
import io.plog.client.RpcException;
import io.plog.measure.HostPort;
import io.plog.protocol.Status;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Welcome;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plog call}: one request, sent until it is acknowledged, the reply to standard output. */
@Command(
        name = "call",
        description = {
            "Sends one request from a file or standard input, and writes the reply's payload to standard output.",
            "It is sent again, with the same number, until it is acknowledged or the deadline passes. To repeat a request"
                    + " later, give the same --client, --request and payload: the server executes it once.",
            "Example:",
            "  echo hello | plog call --server 127.0.0.1:7411"
        })
public final class CallCommand extends ConsoleCommand {
    /** Clients cannot send more, whatever the server takes; so no more is read from standard input. */
    private static final int MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;

    @Option(
            names = "--server",
            paramLabel = "HOST:PORT[,HOST:PORT...]",
            defaultValue = HostPort.DEFAULT,
            description = "Address of the server, or of several of which one serves: the call follows it. Default:"
                    + " ${DEFAULT-VALUE}.")
    private String server = HostPort.DEFAULT;

    @Option(names = "--target", paramLabel = "NAME", description = "The target; not needed if the server has just one.")
    private @Nullable String target;

    @Mixin
    private SecurityOptions security;

    @Option(names = "--client", paramLabel = "ID", description = "The client's id. Default: a fresh one.")
    private @Nullable String client;

    @Option(names = "--request", paramLabel = "N", description = "The client's number for the request. Default: 1.")
    private String request = "1";

    @Option(
            names = "--deadline",
            paramLabel = "TIME",
            defaultValue = "30s",
            description = "How long to keep trying. Default: ${DEFAULT-VALUE}.")
    private Duration deadline;

    @Option(
            names = "--json",
            description = "Print the durations, the index and the payload (base64) as one line of JSON instead.")
    private boolean json;

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "The payload; - or nothing for standard input.")
    private String file = "-";

    @Override
    protected ExitCode run() throws IOException {
        List<InetSocketAddress> servers =
                HostPort.parseAll(server).stream().map(HostPort::unresolved).toList();
        long requestNumber = unsigned("--request", request);
        RetryOptions retries = RetryOptions.defaults().withDeadline(deadline);
        ClientOptions options = security.credentials(server).in(ClientOptions.defaults());
        if (client != null) {
            options = options.withClientId(unsigned("--client", client));
        }
        byte[] payload = payload();
        long end = System.nanoTime() + deadline.toNanos();
        try (RetryingClient connection = RetryingClient.of(servers, requestNumber, options, retries, notice())) {
            TargetDescription chosen = chosen(connection.server(deadline));
            Duration left = Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime()));
            show(chosen, options, connection.callAndWait(chosen.name(), ByteBuffer.wrap(payload), left));
            return ExitCode.DONE;
        } catch (CallFailedException e) {
            throw failure(e);
        } catch (RpcException e) {
            throw new IOException(e.getMessage() + "; the request was not executed", e);
        }
    }

    /** Says once that something is tried again; they may prefer to end it. */
    private RetryListener notice() {
        AtomicBoolean reported = new AtomicBoolean();
        return (why, pause) -> {
            if (ProgressPrinter.standardErrorIsTerminal() && reported.compareAndSet(false, true)) {
                complain(why.getMessage() + "; trying again for up to " + deadline.toMillis() + " ms");
            }
        };
    }

    private IOException failure(CallFailedException e) {
        if (e.getCause() instanceof RefusedException refused
                && e.transmissions() == 0
                && (refused.status() == Status.TOO_LARGE.code() || refused.status() == Status.UNKNOWN_TARGET.code())) {
            throw new IllegalArgumentException(String.valueOf(refused.getMessage()), e);
        }
        boolean outdated =
                e.getCause() instanceof RefusedException refused && refused.status() == Status.OUTDATED.code();
        String advice = e.mayHaveBeenExecuted() && !outdated && client == null
                ? " (to repeat it, so that it is executed once: --client " + Long.toUnsignedString(e.clientId())
                        + " --request " + Long.toUnsignedString(e.requestNumber()) + ")"
                : "";
        return new IOException(e.getMessage() + advice, e);
    }

    private byte[] payload() throws IOException {
        if (!file.equals("-") && Files.isDirectory(Path.of(file))) {
            throw new FileSystemException(file, null, "is a directory"); // the system's own words do not name it
        }
        try (InputStream in = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
            byte[] payload = in.readNBytes(MAX_PAYLOAD_BYTES + 1);
            if (payload.length > MAX_PAYLOAD_BYTES) {
                throw new IllegalArgumentException((file.equals("-") ? "standard input" : file) + " has more than "
                        + MAX_PAYLOAD_BYTES + " bytes: expected at most the server's limit");
            }
            return payload;
        }
    }

    private TargetDescription chosen(Welcome welcome) {
        var targets = welcome.targets();
        if (target == null && targets.size() == 1) {
            return targets.get(0);
        }
        String names = targets.stream().map(TargetDescription::name).collect(Collectors.joining(", "));
        if (target == null) {
            throw new IllegalArgumentException("--target is missing; the server has " + names);
        }
        return targets.stream()
                .filter(each -> each.name().equals(target))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("the server has no target '" + target + "'; it has " + names));
    }

    private void show(TargetDescription chosen, ClientOptions options, Reply reply) {
        if (!json) {
            // Bytes as they are: a writer would take them for text.
            PrintStream raw = System.out;
            raw.write(reply.payload(), 0, reply.payload().length);
            raw.flush();
            if (reply.isRecorded()) {
                complain("executed before, as record " + reply.logIndex() + "; this is its recorded answer");
            }
            return;
        }
        ObjectNode fields = JsonText.object()
                .put("status", "OK")
                .put("target", chosen.name())
                .put("force", chosen.force())
                .put("client", Long.toUnsignedString(options.clientId()))
                .put("request", Long.toUnsignedString(reply.requestNumber()))
                .put("index", reply.logIndex())
                .put("length", reply.payload().length)
                .put("loggingNanos", reply.loggingNanos())
                .setAll(JsonText.fields(reply).remove(List.of("requestNumber", "logIndex")));
        out().println(JsonText.line(fields));
    }

    private static long unsigned(String option, String text) {
        try {
            return Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(option + " is '" + text + "': expected 0 to 18446744073709551615", e);
        }
    }
}
