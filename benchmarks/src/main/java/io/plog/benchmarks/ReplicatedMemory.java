package io.plog.benchmarks;

import io.plog.benchmarks.result.ReplicatedResults.Resident;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/** What the processes of a replicated log hold of the machine's memory: ZooKeeper, the bookies, and a server. */
final class ReplicatedMemory {
    private static final long PATIENCE_SECONDS = 60;
    private static final String AT_FIRST = "just started";

    private final String zooKeeper;
    private final Map<String, Long> bookies;
    private final Path directory;
    private final Path plog =
            Path.of(System.getProperty("benchmarks.root", ".")).resolve("plog");
    private final List<Resident> found = new ArrayList<>();

    /** @param directory where a server's log in a directory, and what it says, may go */
    ReplicatedMemory(String zooKeeper, Map<String, Long> bookies, Path directory) {
        this.zooKeeper = zooKeeper;
        this.bookies = bookies;
        this.directory = directory;
    }

    /** Looks at ZooKeeper and the bookies. */
    void lookAtBookies(boolean loaded) throws IOException {
        for (Map.Entry<String, Long> each : bookies.entrySet()) {
            note(each.getKey(), loaded ? "after the measurements above" : AT_FIRST, each.getValue());
        }
    }

    /** Looks at a server whose log is on the bookies, and at one whose log is in a directory, each under the same load. */
    void lookAtServers() throws Exception {
        Path local = Files.createDirectories(directory.resolve("memory-log"));
        lookAt("server, log in a directory", "a=" + local);
        lookAt("server, log on bookies", "a=bookkeeper://" + zooKeeper + "/memory?ensemble=3&ack=2");
    }

    private void lookAt(String name, String log) throws Exception {
        Path ready = directory.resolve("memory.ready");
        Files.deleteIfExists(ready);
        Process server =
                start("server", "--port", "0", "--admin-port", "0", "--ready-file", ready.toString(), "--log", log);
        try {
            Properties facts = await(ready, server);
            long pid = Long.parseLong(facts.getProperty("pid"));
            note(name, AT_FIRST, pid);
            Process load = start(("load --server 127.0.0.1:" + facts.getProperty("port")
                            + " --mode closed --connections 64" + " --mix 1k=100 --warmup 2s --duration 10s")
                    .split(" ", -1));
            if (!load.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                load.destroyForcibly();
                throw new IOException(
                        "the load on the " + name + " did not end; see " + directory.resolve("memory.txt"));
            }
            note(name, "after 12 s with 64 connections, 1 kB", pid);
        } finally {
            server.destroy();
            if (!server.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                server.destroyForcibly();
            }
        }
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(plog.toString()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(directory.toFile()) // results of a load go below it
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("memory.txt").toFile()))
                .start();
    }

    private Properties await(Path ready, Process server) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        Properties facts = new Properties();
        while (!facts.containsKey("pid")) {
            if (System.nanoTime() > deadline || server.waitFor(100, TimeUnit.MILLISECONDS)) {
                throw new IOException("a server did not start; see " + directory.resolve("memory.txt"));
            }
            if (Files.exists(ready)) {
                try (var in = Files.newInputStream(ready)) {
                    facts.load(in);
                }
            }
        }
        return facts;
    }

    private void note(String process, String when, long pid) throws IOException {
        found.add(new Resident(process, when, OtherProcesses.residentBytes(pid) / 1048576.0));
    }

    /** What was seen so far. */
    List<Resident> found() {
        return List.copyOf(found);
    }
}
