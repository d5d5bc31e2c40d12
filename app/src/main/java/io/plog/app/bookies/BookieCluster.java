package io.plog.app.bookies;

import io.plog.app.cli.BookKeeperJars;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** ZooKeeper and bookies on loopback, each in a process of its own; all end when this is closed, or with this process. Used by one thread. */
public final class BookieCluster implements Closeable {
    private final List<BookieProcess> processes = new ArrayList<>();
    private int port;

    private BookieCluster() {}

    /** What the bookies are for. */
    public enum For {
        /** They are to be ready soon. */
        TRIALS,
        /** They are to be as fast as elsewhere. */
        MEASURING
    }

    /**
     * Starts them, and returns when they can be used.
     *
     * @param directory where their data and their output go; exists. What is there is gone on with
     * @param count how many bookies, at least 1
     * @param port where ZooKeeper listens, 0 for any free port
     * @throws IOException if BookKeeper is not there, or one of them ends before it is ready
     */
    public static BookieCluster start(Path directory, int count, int port, For purpose)
            throws IOException, InterruptedException {
        BookieCluster cluster = new BookieCluster();
        try {
            cluster.startAll(directory, count, port, purpose);
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void startAll(Path directory, int count, int wantedPort, For purpose)
            throws IOException, InterruptedException {
        String classPath = BookKeeperJars.classPath();
        boolean readyEarly = purpose == For.TRIALS;
        Path metadata = Files.createDirectories(directory.resolve("zookeeper"));
        BookieProcess zooKeeper = BookieProcess.start(
                classPath,
                directory,
                "zookeeper",
                List.of("zookeeper", metadata.toString(), Integer.toString(wantedPort)),
                readyEarly);
        processes.add(zooKeeper);
        port = zooKeeper.awaitReady();
        for (int i = 1; i <= count; i++) {
            String name = "bookie-" + i;
            Path own = Files.createDirectories(directory.resolve(name));
            processes.add(BookieProcess.start(
                    classPath,
                    directory,
                    name,
                    List.of("bookie", own.toString(), name, Integer.toString(port)),
                    readyEarly));
        }
        for (BookieProcess bookie : processes.subList(1, processes.size())) {
            bookie.awaitReady();
        }
    }

    /** Where ZooKeeper listens. */
    public int port() {
        return port;
    }

    /** The address of a log that they keep, with what is usual. */
    public String address(String log) {
        return "bookkeeper://127.0.0.1:" + port + "/" + log;
    }

    /** ZooKeeper, and then the bookies. */
    List<BookieProcess> processes() {
        return List.copyOf(processes);
    }

    /** A sentence for each that has ended by itself. */
    public List<String> endings() {
        return processes.stream()
                .filter(each -> !each.isAlive())
                .map(BookieProcess::ending)
                .toList();
    }

    /** Ends them, the bookies first; what they acknowledged is on their disks. */
    @Override
    public void close() {
        for (int i = processes.size() - 1; i >= 0; i--) {
            processes.get(i).end();
        }
    }
}
