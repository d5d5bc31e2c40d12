package io.plog.app.bookies;

import io.plog.app.cli.BookKeeperJars;
import io.plog.app.cli.ChildJvm;
import io.plog.app.cli.ChildProcess;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** ZooKeeper and bookies on loopback, each in a process of its own; all end when this is closed, or with this process. Used by one thread. */
public final class BookieCluster implements Closeable {
    private static final List<String> FLAGS = List.of(
            "-Xmx256m",
            "-XX:MaxDirectMemorySize=256m",
            "-XX:+UseSerialGC",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "-Dzookeeper.admin.enableServer=false");

    private final List<ChildProcess> processes = new ArrayList<>();
    private int port;

    private BookieCluster() {}

    /**
     * Starts them, and returns when they can be used.
     *
     * @param directory where their data and their output go; exists. What is there is gone on with
     * @param count how many bookies, at least 1
     * @param port where ZooKeeper listens, 0 for any free port
     * @throws IOException if BookKeeper is not there, or one of them ends before it is ready
     */
    public static BookieCluster start(Path directory, int count, int port) throws IOException, InterruptedException {
        BookieCluster cluster = new BookieCluster();
        try {
            cluster.startAll(directory, count, port);
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void startAll(Path directory, int count, int wantedPort) throws IOException, InterruptedException {
        Path metadata = Files.createDirectories(directory.resolve("zookeeper"));
        ChildProcess zooKeeper =
                start(directory, "zookeeper", "zookeeper", metadata.toString(), Integer.toString(wantedPort));
        zooKeeper.awaitReady();
        port = zooKeeper.port();
        for (int i = 1; i <= count; i++) {
            String name = "bookie-" + i;
            Path own = Files.createDirectories(directory.resolve(name));
            start(directory, name, "bookie", own.toString(), name, Integer.toString(port));
        }
        for (ChildProcess bookie : processes.subList(1, processes.size())) {
            bookie.awaitReady();
        }
    }

    private ChildProcess start(Path directory, String name, String... tool) throws IOException {
        Path ready = directory.resolve(name + ".ready");
        List<String> arguments = new ArrayList<>(List.of(BookieProcessCommand.NAME));
        arguments.addAll(List.of(tool));
        arguments.add(ready.toString());
        ChildProcess process = ChildProcess.start(
                name,
                ChildJvm.plog(List.of(), FLAGS, BookKeeperJars.classPath(), arguments),
                directory.resolve(name + ".log"),
                ready);
        processes.add(process);
        return process;
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
    List<ChildProcess> processes() {
        return List.copyOf(processes);
    }

    /** A sentence for each that has ended by itself. */
    public List<String> endings() {
        return processes.stream()
                .filter(each -> !each.isAlive())
                .map(ChildProcess::ending)
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
