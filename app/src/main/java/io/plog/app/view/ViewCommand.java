package io.plog.app.view;

import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.StopSignals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plog view}: the page of results on loopback, until Ctrl-C. */
@Command(
        name = "view",
        description = {
            "Serves the results below a directory as pages on this machine: the list of runs, one run, two compared, more that"
                    + " did the same work as a trend, and a run that is under way, with its figures as they grow. Changes nothing. Ends with Ctrl-C. With --publish it"
                    + " writes the same as files instead, for any web server.",
            "Examples:",
            "  plog view",
            "  plog view /mnt/results --publish site"
        })
public final class ViewCommand extends ConsoleCommand {
    @Parameters(
            paramLabel = "DIR",
            arity = "0..1",
            defaultValue = "plog-results",
            description = "A directory with results below it, or of one run. Default: ${DEFAULT-VALUE}.")
    private Path directory;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "7414",
            description = "Port on 127.0.0.1; 0 picks a free one. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--publish",
            paramLabel = "OUT",
            description = "Write index.html, a page of each run and of each trend there, and end.")
    private @Nullable Path publish;

    @Override
    protected ExitCode run() throws IOException, InterruptedException {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("--port is " + port + ": expected 0 to 65535");
        }
        Path root = directory.toRealPath();
        if (!Files.isDirectory(root)) {
            throw new NotDirectoryException(directory.toString());
        }
        if (publish != null) {
            int runs = Gallery.write(root, publish, this::complain);
            out().println(publish.resolve("index.html") + ": " + runs + (runs == 1 ? " run" : " runs"));
            return ExitCode.DONE;
        }
        try (ViewServer server = new ViewServer(root, port)) {
            CountDownLatch stopped = new CountDownLatch(1);
            StopSignals.onFirst(stopped::countDown);
            out().println(server.address());
            out().flush();
            stopped.await();
        }
        return ExitCode.DONE;
    }
}
