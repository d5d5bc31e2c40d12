package io.plog.app.demo;

import io.plog.app.bookies.BookieCluster;
import io.plog.app.cli.ResultsDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The bookies of a demo, if it needs any: the same for all trials, with logs of their own for each. Used by one thread. */
final class DemoBookies implements AutoCloseable {
    private final @Nullable BookieCluster cluster;
    private final Path directory;
    private int starts;

    private DemoBookies(@Nullable BookieCluster cluster, Path directory) {
        this.cluster = cluster;
        this.directory = directory;
    }

    /**
     * Starts them if the plan measures quorums, and returns when they can be used.
     *
     * @param logs where the demo's other logs are: the bookies' data go next to them, on the same disk
     * @throws IOException if BookKeeper is not there, or cannot be started
     */
    static DemoBookies start(DemoPlan plan, Path logs) throws IOException, InterruptedException {
        Path first = logs.resolveSibling(logs.getFileName() + "-bookies");
        if (plan.ways().quorums().isEmpty()) {
            return new DemoBookies(null, first);
        }
        Path directory = first;
        for (int i = 2; Files.exists(directory); i++) {
            directory = logs.resolveSibling(first.getFileName() + "-" + i);
        }
        Files.createDirectories(directory);
        return new DemoBookies(BookieCluster.start(directory, DemoWays.Quorum.BOOKIES, 0), directory);
    }

    /** The next server's logs are new ones. */
    void nextServer() {
        starts++;
    }

    /** Where the present server's log of this kind is. */
    String address(DemoWays.Quorum quorum) {
        return Objects.requireNonNull(cluster).address(quorum.label() + "-server-" + starts) + quorum.settings();
    }

    /** A sentence for each that has ended. */
    List<String> endings() {
        return cluster == null ? List.of() : cluster.endings();
    }

    @Override
    public void close() throws IOException {
        if (cluster != null) {
            cluster.close();
            ResultsDirectory.delete(directory);
        }
    }
}
