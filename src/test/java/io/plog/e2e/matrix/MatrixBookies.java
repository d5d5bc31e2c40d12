package io.plog.e2e.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.Await;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.Plog;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** ZooKeeper and bookies that a test kills and starts one by one, each with its data and ZooKeeper with its port. */
final class MatrixBookies implements AutoCloseable {
    static final int COUNT = 3;

    private static final Pattern OUT_OF_ROOM =
            Pattern.compile("no space left|read-?only mode|out of space", Pattern.CASE_INSENSITIVE);

    private final Path root;
    private final List<Process> bookies = new ArrayList<>();
    private Process zooKeeper;
    private int port;

    /** @param root exists */
    MatrixBookies(Path root) throws Exception {
        this.root = root;
        zooKeeper = startZooKeeper();
        try {
            for (int i = 0; i < COUNT; i++) {
                bookies.add(startBookie(i));
            }
            for (int i = 0; i < COUNT; i++) {
                awaitReady(name(i), bookies.get(i));
            }
        } catch (Exception | AssertionError e) {
            close();
            throw e;
        }
    }

    static String name(int bookie) {
        return "bookie-" + (bookie + 1);
    }

    int port() {
        return port;
    }

    String address(String log) {
        return "bookkeeper://127.0.0.1:" + port + "/" + log + "?ensemble=3&ack=2";
    }

    Path directory(int bookie) {
        return root.resolve(name(bookie));
    }

    long pid(int bookie) {
        return bookies.get(bookie).pid();
    }

    /** So often a bookie has said that its disk has no room: it looks every ten seconds. */
    long timesOutOfRoom(int bookie) throws IOException {
        try (Stream<String> lines = Files.lines(root.resolve(name(bookie) + ".log"))) {
            return lines.filter(line -> OUT_OF_ROOM.matcher(line).find()).count();
        }
    }

    void killBookie(int bookie) {
        bookies.get(bookie).destroyForcibly().onExit().join();
    }

    void restartBookie(int bookie) throws Exception {
        killBookie(bookie);
        bookies.set(bookie, startBookie(bookie));
        awaitReady(name(bookie), bookies.get(bookie));
    }

    void killZooKeeper() {
        zooKeeper.destroyForcibly().onExit().join();
    }

    void restartZooKeeper() throws Exception {
        killZooKeeper();
        zooKeeper = startZooKeeper();
    }

    void killAll() {
        Stream.concat(Stream.of(zooKeeper), bookies.stream()).forEach(Process::destroyForcibly);
        Stream.concat(Stream.of(zooKeeper), bookies.stream())
                .forEach(each -> each.onExit().join());
    }

    void restartAll() throws Exception {
        zooKeeper = startZooKeeper();
        for (int i = 0; i < COUNT; i++) {
            bookies.set(i, startBookie(i));
        }
        for (int i = 0; i < COUNT; i++) {
            awaitReady(name(i), bookies.get(i));
        }
    }

    private Process startZooKeeper() throws Exception {
        Path own = Files.createDirectories(root.resolve("zookeeper"));
        Process process = start("zookeeper", "zookeeper", own.toString(), Integer.toString(port));
        port = awaitReady("zookeeper", process);
        return process;
    }

    private Process startBookie(int bookie) throws IOException {
        Path own = Files.createDirectories(directory(bookie));
        return start(name(bookie), "bookie", own.toString(), name(bookie), Integer.toString(port));
    }

    private Process start(String name, String... arguments) throws IOException {
        Files.deleteIfExists(root.resolve(name + ".ready"));
        List<String> line = new ArrayList<>(Plog.jvmWith(jars()));
        line.add(line.size() - 3, "-Dplog.ends.with.input=true");
        line.add("bookie-process");
        line.addAll(List.of(arguments));
        line.add(root.resolve(name + ".ready").toString());
        return new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        root.resolve(name + ".log").toFile()))
                .start();
    }

    private static String jars() throws IOException {
        try (Stream<Path> files =
                Files.list(DiskDirectory.root().resolve("logging-bookkeeper/target/lib/bookkeeper"))) {
            return files.map(Path::toString)
                    .filter(file -> file.endsWith(".jar"))
                    .sorted()
                    .collect(Collectors.joining(File.pathSeparator));
        }
    }

    private int awaitReady(String name, Process process) throws Exception {
        Path ready = root.resolve(name + ".ready");
        Await.until(
                name + " is ready, see " + root.resolve(name + ".log"),
                () -> Files.exists(ready) || !process.isAlive());
        assertThat(process.isAlive())
                .as("%s runs, see %s", name, root.resolve(name + ".log"))
                .isTrue();
        return Integer.parseInt(Files.readString(ready));
    }

    @Override
    public void close() {
        IntStream.range(0, bookies.size()).forEach(this::killBookie);
        killZooKeeper();
    }
}
