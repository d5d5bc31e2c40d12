package io.plog.app.demo;

import io.plog.app.bookies.BookieCluster;
import io.plog.app.cli.ChildProcess;
import io.plog.app.cli.ResultsDirectory;
import io.plog.app.measure.TrialServers;
import io.plog.measure.HostPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A fresh server for each trial of a demo, with logs in a fresh directory; and bookies for the quorums of its plan, the same for all
 * trials. Used by one thread, but for {@link #close}.
 */
final class DemoServers implements TrialServers, AutoCloseable {
    private final DemoPlan plan;
    private final Path results;
    private final List<Path> logs;
    private final DemoLink link;
    private final Consumer<String> say;
    private final List<ChildProcess> running = new ArrayList<>();
    private final List<Path> logsInUse = new ArrayList<>();
    private final Path ofBookies;
    private final @Nullable BookieCluster bookies; // null if the plan has no quorums
    private int launched;

    /**
     * Starts the bookies, and no server yet.
     *
     * @param results where the servers' output goes
     * @param logs an empty directory on each disk for the logs; the bookies' data go next to the first
     * @param link between a server and its client
     * @param say gets a sentence for each process that ended during its trial
     * @throws IOException if BookKeeper is needed and is not there, or cannot be started
     */
    DemoServers(DemoPlan plan, Path results, List<Path> logs, DemoLink link, Consumer<String> say)
            throws IOException, InterruptedException {
        this.plan = plan;
        this.results = results;
        this.logs = List.copyOf(logs);
        this.link = link;
        this.say = say;
        String name = logs.get(0).getFileName() + "-bookies";
        Path free = logs.get(0).resolveSibling(name);
        for (int i = 2; Files.exists(free); i++) {
            free = logs.get(0).resolveSibling(name + "-" + i);
        }
        ofBookies = free;
        bookies = plan.ways().quorums().isEmpty()
                ? null
                : BookieCluster.start(Files.createDirectories(ofBookies), DemoWays.Quorum.BOOKIES, 0);
    }

    @Override
    public List<HostPort> start(List<Integer> trials) throws IOException, InterruptedException {
        for (int trial : trials) {
            launch(trial);
        }
        List<HostPort> addresses = new ArrayList<>();
        for (ChildProcess server : running) {
            server.awaitReady();
            addresses.add(link.server(server.port()));
        }
        return addresses;
    }

    private void launch(int trial) throws IOException {
        List<Path> own = new ArrayList<>();
        for (Path disk : logs) {
            own.add(freshDirectory(disk, trial));
        }
        logsInUse.addAll(own);
        launched++;
        String name = plan.plan().trials() == 1 ? "server" : "server-" + (trial + 1);
        List<String> options = new ArrayList<>(plan.serverOptions(own, this::address));
        options.addAll(link.serverOptions());
        running.add(ChildProcess.server(results, name, link.atServer(), link.serverAddress(), 0, options));
    }

    /** Where the log of this kind is of the server that was launched last: each has new ones. */
    private String address(DemoWays.Quorum quorum) {
        return Objects.requireNonNull(bookies).address(quorum.label() + "-server-" + launched) + quorum.settings();
    }

    /** An empty one: a trial that was killed in the middle left its logs, which it must not find when it goes on. */
    private Path freshDirectory(Path disk, int trial) throws IOException {
        Path fresh = plan.plan().trials() == 1 ? disk : disk.resolve("trial-" + (trial + 1));
        ResultsDirectory.delete(fresh);
        return Files.createDirectories(fresh);
    }

    @Override
    public List<String> clientWithin() {
        return link.atClient();
    }

    @Override
    public int atOnce() {
        return DemoPlan.TRIALS_AT_ONCE;
    }

    @Override
    public void stop() throws IOException, InterruptedException {
        boolean ended = false;
        try {
            for (ChildProcess server : running) {
                if (server.isAlive()) {
                    server.stop();
                } else {
                    ended = true;
                    say.accept(server.ending());
                }
            }
            if (!ended && bookies != null) {
                bookies.endings().forEach(say);
            }
        } finally {
            endAll();
        }
    }

    /** Kills what still runs, and deletes its logs. */
    private void endAll() throws IOException {
        running.forEach(ChildProcess::close);
        running.clear();
        delete(logsInUse);
        logsInUse.clear();
    }

    /** The same with the bookies, and deletes the logs of all. */
    @Override
    public void close() throws IOException {
        try {
            endAll();
            delete(logs);
        } finally {
            if (bookies != null) {
                bookies.close();
                ResultsDirectory.delete(ofBookies);
            }
        }
    }

    private static void delete(List<Path> directories) throws IOException {
        for (Path directory : directories) {
            ResultsDirectory.delete(directory);
        }
    }
}
