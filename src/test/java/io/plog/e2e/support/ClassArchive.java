package io.plog.e2e.support;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The classes that a program loads, in the JVM's own form, for all processes that the tests start: they need a third less processor
 * time to start. Made once for each JVM of tests: one from a server, and one, for all others, from a client that measures it. Without
 * them, programs load classes as usual.
 */
public final class ClassArchive {
    private static final long PATIENCE_SECONDS = 60;

    /** The processes that these start have the same flags, and most of them are servers. */
    private static final List<String> START_SERVERS = List.of("server", "demo", "study");

    private static final Path OF_SERVER = DiskDirectory.root().resolve("src/test/target/plog-server.jsa");
    private static final Path OF_OTHERS = DiskDirectory.root().resolve("src/test/target/plog.jsa");

    /** Made when first asked for, by one thread while others wait. */
    private static final boolean MADE = make();

    private ClassArchive() {}

    /** What to tell a JVM that runs this command and whose class path is {@link #classPath}; nothing where there is no archive. */
    public static List<String> flags(String command) {
        Path archive = START_SERVERS.contains(command) ? OF_SERVER : OF_OTHERS;
        return MADE ? List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off", "-Xlog:cds+dynamic=off") : List.of();
    }

    /**
     * The test's own, but for what only tests need: ArchUnit brings a logger along, through which Netty would log, and the JVM
     * archives no class of a path with directories.
     */
    public static String classPath() {
        return String.join(
                File.pathSeparator,
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                        .filter(entry -> !entry.contains("slf4j") && !entry.endsWith("test-classes"))
                        .toList());
    }

    private static boolean make() {
        if (Stream.of(classPath().split(File.pathSeparator)).anyMatch(entry -> Files.isDirectory(Path.of(entry)))) {
            return false;
        }
        try {
            Files.deleteIfExists(OF_SERVER);
            Files.deleteIfExists(OF_OTHERS);
            Path directory = Files.createTempDirectory("plog-classes-");
            try {
                return isMade(directory);
            } finally {
                deleteAll(directory);
            }
        } catch (Exception e) {
            System.out.println("no archive of classes: " + e);
            return false;
        }
    }

    private static void deleteAll(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private static boolean isMade(Path directory) throws Exception {
        Path log = Files.createDirectory(directory.resolve("log"));
        Path ready = directory.resolve("ready");
        Process server = start(
                OF_SERVER,
                "server --port 0 --admin-port free --unlogged --log a=" + log + ",segment=1MiB --ready-file " + ready);
        try {
            Await.until(
                    "the server whose classes are archived is ready", () -> Files.exists(ready) || !server.isAlive());
            String port = Plog.pairs(Files.readAllLines(ready)).get("port");
            Process client = start(
                    OF_OTHERS,
                    "measure --server 127.0.0.1:" + port + " --sizes 100 --iterations 50 --trials 1 --warmup 5 --out "
                            + directory.resolve("out"));
            boolean hasEnded = client.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
            client.destroyForcibly();
            server.destroy();
            return hasEnded
                    && server.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    && Files.exists(OF_SERVER)
                    && Files.exists(OF_OTHERS);
        } finally {
            server.destroyForcibly();
        }
    }

    private static Process start(Path archive, String command) throws IOException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:ArchiveClassesAtExit=" + archive,
                "-cp",
                classPath(),
                "io.plog.app.Main"));
        line.addAll(List.of(command.split(" ")));
        return new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
