package io.plog.e2e.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** {@code plog bookies}: ZooKeeper and three bookies, each a process of its own. */
public final class BookieCluster implements AutoCloseable {
    /** For programs that use them: where BookKeeper's jars are. */
    public static final Map<String, String> ENVIRONMENT = Map.of(
            "JAVA_TOOL_OPTIONS",
            "-Dplog.bookkeeper.lib="
                    + System.getProperty("plog.bookkeeper.lib", builtJars().toString()));

    private static final Pattern BOOKIE = Pattern.compile("bookie-[0-9] runs in process ([0-9]+)");

    private final Plog process;
    private final String port;
    private final List<Long> pids;

    private BookieCluster(Plog process, String port, List<Long> pids) {
        this.process = process;
        this.port = port;
        this.pids = pids;
    }

    private static Path builtJars() {
        return DiskDirectory.root().resolve("logging-bookkeeper/target/lib/bookkeeper");
    }

    public static BookieCluster start(Path scratch) throws Exception {
        Path ready = scratch.resolve("bookies-ready");
        Plog process =
                Plog.start(ENVIRONMENT, "bookies --dir %s --port 0 --ready-file %s", scratch.resolve("bookies"), ready);
        try {
            Await.until(
                    "the bookies are ready",
                    () -> !process.isAlive()
                            || (Files.exists(ready)
                                    && !Files.readString(ready).isEmpty()
                                    && pidsIn(process.outText()).size() == 3));
            assertThat(process.isAlive()).as("%s", process).isTrue();
            return new BookieCluster(
                    process, Plog.pairs(Files.readAllLines(ready)).get("port"), pidsIn(process.outText()));
        } catch (Exception | AssertionError e) {
            process.close();
            throw e;
        }
    }

    /** The output is read by another thread, maybe later than the file. */
    private static List<Long> pidsIn(String output) {
        List<Long> pids = new ArrayList<>();
        Matcher line = BOOKIE.matcher(output);
        while (line.find()) {
            pids.add(Long.parseLong(line.group(1)));
        }
        return pids;
    }

    /** Of a log that they keep. */
    public String address(String log) {
        return "bookkeeper://127.0.0.1:" + port + "/" + log + "?ensemble=3&ack=2";
    }

    /** Of each bookie's process. */
    public List<Long> pids() {
        return pids;
    }

    /**
     * Stops a process and waits until all its threads stand still. The kernel gives the signal to one of them, which stops the others
     * once it runs; until then another may still answer a request that is sent after {@code kill} has ended.
     */
    public static void stop(long pid) throws Exception {
        SystemCommand.signal("-STOP", pid);
        Await.until("process " + pid + " stands still", () -> standsStill(pid));
    }

    private static boolean standsStill(long pid) {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path thread : threads.toList()) {
                String stat = Files.readString(thread.resolve("stat"));
                // The state follows the name, which is in parentheses and may have some in it.
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false; // a thread has just ended
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
