package io.plog.app.bookies;

import io.plog.app.cli.BookKeeperJars;
import io.plog.app.cli.ChildProcess;
import io.plog.app.cli.ConsoleCommand;
import io.plog.app.cli.ExitCode;
import io.plog.app.cli.StopSignals;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code plog bookies}: a metadata service and bookies on this machine, until it is interrupted. */
@Command(
        name = "bookies",
        description = {
            "Runs ZooKeeper and bookies on this machine, for trials of a replicated log: each in a process of its own, on"
                    + " loopback. They end with this command, and continue with their data when it is run again.",
            "All copies are on one machine, so they survive the death of a process and nothing else:"
                    + " docs/replication.md says what a real deployment needs."
        })
public final class BookiesCommand extends ConsoleCommand {
    private static final int MOST = 9;

    @Option(
            names = "--dir",
            required = true,
            paramLabel = "DIR",
            description = "Where their data live; made if needed.")
    private Path directory;

    @Option(
            names = "--count",
            defaultValue = "3",
            paramLabel = "N",
            description = "How many bookies, 1 to " + MOST + " (default: ${DEFAULT-VALUE}).")
    private int count;

    @Option(
            names = "--port",
            defaultValue = "2181",
            paramLabel = "PORT",
            description = "Where ZooKeeper listens, 0 for any free port (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--ready-file",
            paramLabel = "FILE",
            description = "Made when everything can be used, with the line port=PORT.")
    private @Nullable Path readyFile;

    private final CountDownLatch stop = new CountDownLatch(1);

    @Override
    protected ExitCode run() throws IOException, InterruptedException {
        if (count < 1 || count > MOST) {
            throw new IllegalArgumentException("--count is " + count + ": expected 1 to " + MOST);
        }
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("--port is " + port + ": expected 0 to 65535");
        }
        BookKeeperJars.classPath(); // before anything is made
        Path root = Files.createDirectories(directory.toAbsolutePath().normalize());
        StopSignals.onFirst(stop::countDown);
        try (BookieCluster cluster = BookieCluster.start(root, count, port)) {
            report(cluster);
            return untilStopped(cluster.processes());
        }
    }

    private void report(BookieCluster cluster) throws IOException {
        PrintWriter out = out();
        for (ChildProcess each : cluster.processes()) {
            out.println(each.what() + " runs in process " + each.pid());
            Files.writeString(directory.resolve(each.what() + ".pid"), "pid=" + each.pid() + "\n");
        }
        out.println("logs are at " + cluster.address("NAME") + (count == 3 ? "" : "?ensemble=" + count)
                + "; end with Ctrl-C");
        out.flush();
        if (readyFile != null) {
            Files.writeString(readyFile, "port=" + cluster.port() + "\n");
        }
    }

    /** A bookie that ends is reported and not replaced: that is what trials are for. Without ZooKeeper there is nothing to try. */
    private ExitCode untilStopped(List<ChildProcess> running) throws IOException, InterruptedException {
        List<ChildProcess> alive = new ArrayList<>(running);
        while (!stop.await(200, TimeUnit.MILLISECONDS)) {
            for (ChildProcess each : List.copyOf(alive)) {
                if (!each.isAlive()) {
                    alive.remove(each);
                    if (each.equals(running.get(0))) {
                        throw new IOException(each.ending());
                    }
                    complain(each.ending());
                }
            }
        }
        return ExitCode.DONE;
    }
}
