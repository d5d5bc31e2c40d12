package io.plog.app.demo;

import io.plog.app.cli.ServerProcess;
import io.plog.app.measure.TrialServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A fresh server for each trial of a demo, with logs in a fresh directory. Used by one thread, but for {@link #close}. */
final class DemoServers implements TrialServers, AutoCloseable {
    private final DemoPlan plan;
    private final Path results;
    private final Path logs;
    private final boolean keepLogs;
    private @Nullable ServerProcess server;
    private @Nullable Path logsOfTrial;

    /**
     * Starts nothing yet.
     *
     * @param results where the servers' output goes
     * @param logs an empty directory for the logs
     */
    DemoServers(DemoPlan plan, Path results, Path logs, boolean keepLogs) {
        this.plan = plan;
        this.results = results;
        this.logs = logs;
        this.keepLogs = keepLogs;
    }

    @Override
    public Address start(int trial) throws IOException, InterruptedException {
        Path own = Files.createDirectories(freshDirectory(trial));
        logsOfTrial = own;
        ServerProcess started = ServerProcess.start(results, plan.serverOptions(own));
        server = started;
        return new Address("127.0.0.1", started.port());
    }

    /** One that no server had: a trial that was killed in the middle left its logs, which one that is run again must not find. */
    private Path freshDirectory(int trial) throws IOException {
        Path first = plan.plan().grid().trials() == 1 ? logs : logs.resolve("trial-" + (trial + 1));
        if (!keepLogs) {
            delete(first);
        }
        Path fresh = first;
        for (int start = 2; isUsed(fresh); start++) {
            fresh = logs.resolve("trial-" + (trial + 1) + "-start-" + start);
        }
        return fresh;
    }

    private static boolean isUsed(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return false;
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.findAny().isPresent();
        }
    }

    @Override
    public String stop() throws IOException, InterruptedException {
        ServerProcess running = server;
        if (running == null) {
            return "";
        }
        try (running) {
            server = null;
            if (!running.isAlive()) {
                return running.ending();
            }
            running.stop();
            return "";
        } finally {
            Path own = logsOfTrial;
            if (own != null && !keepLogs) {
                delete(own);
            }
        }
    }

    /** Kills what still runs, and deletes the logs unless they are to be kept. */
    @Override
    public void close() throws IOException {
        if (server != null) {
            server.close();
        }
        if (!keepLogs) {
            delete(logs);
        }
    }

    private static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
