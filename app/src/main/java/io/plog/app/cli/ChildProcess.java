package io.plog.app.cli;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A server or a bookie in a process of its own, so that its cost does not count as the client's, and the client survives its death.
 * What it prints goes to a file, and another file appears once it is ready. Used by one thread.
 */
public final class ChildProcess implements Closeable {
    private static final Duration READY_PATIENCE = Duration.ofMinutes(5);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);
    private static final int LINES_SHOWN = 5;

    /** What the JVM says before it ends itself: see the launcher's flags. */
    private static final String OUT_OF_MEMORY = "java.lang.OutOfMemoryError";

    private final String what;
    private final Process process;
    private final Path output;
    private final long outputBefore; // bytes, of earlier processes
    private final Path readyFile;
    private final Map<String, Integer> ports = new HashMap<>(); // once it is ready

    private ChildProcess(String what, Process process, Path output, long outputBefore, Path readyFile) {
        this.what = what;
        this.process = process;
        this.output = output;
        this.outputBefore = outputBefore;
        this.readyFile = readyFile;
    }

    /**
     * Starts it, and returns at once.
     *
     * @param what its name, for messages
     * @param output with what it prints; appended to
     * @param readyFile that it makes when it is ready, with lines such as {@code port=N}, or just the number of its port
     */
    public static ChildProcess start(String what, ProcessBuilder command, Path output, Path readyFile)
            throws IOException {
        Files.deleteIfExists(readyFile);
        long before = output.toFile().length(); // 0 if there is none
        command.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        return new ChildProcess(what, command.start(), output, before, readyFile);
    }

    /**
     * Starts a server on loopback and waits until it listens.
     *
     * @param directory where its output and its ready file go
     * @param port 0 for a free one
     * @param options besides its port and address
     * @throws IOException if it cannot be started or ends before it listens; the message has its last lines
     */
    public static ChildProcess server(Path directory, int port, List<String> options)
            throws IOException, InterruptedException {
        ChildProcess started = server(directory, "server", List.of(), "127.0.0.1", port, options);
        try {
            started.awaitReady();
            return started;
        } catch (IOException | InterruptedException | RuntimeException e) {
            started.close();
            throw e;
        }
    }

    /**
     * Starts one that may not listen yet.
     *
     * @param outputName of the file with what it prints, which gets {@code .log}, and of its ready file
     * @param within what the command line begins with, such as a network namespace
     * @param address that it listens on
     */
    public static ChildProcess server(
            Path directory, String outputName, List<String> within, String address, int port, List<String> options)
            throws IOException {
        Path readyFile = directory.resolve(outputName + ".ready");
        List<String> arguments = new ArrayList<>(List.of("server", "--bind", address, "--admin-bind", address));
        arguments.addAll(List.of("--port", Integer.toString(port), "--admin-port", "free"));
        arguments.addAll(List.of("--ready-file", readyFile.toString()));
        arguments.addAll(options);
        return start(
                "the server",
                ChildJvm.plog(within, List.of(), ChildJvm.classPath(), arguments),
                directory.resolve(outputName + ".log"),
                readyFile);
    }

    /**
     * Returns when it is ready, and so has ports.
     *
     * @throws IOException if it ends before; the message has its last lines
     */
    public void awaitReady() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + READY_PATIENCE.toNanos();
        while (!Files.exists(readyFile)) {
            if (process.waitFor(10, TimeUnit.MILLISECONDS)) {
                throw new IOException(what + " ended " + howItEnded() + " before it was ready; " + lastWords());
            }
            if (System.nanoTime() > deadline) {
                throw new IOException(
                        what + " was not ready within " + READY_PATIENCE.toMinutes() + " minutes; " + lastWords());
            }
        }
        for (String line : Files.readAllLines(readyFile)) {
            int equals = line.indexOf('=');
            if (!line.startsWith("pid=")) {
                ports.put(equals < 0 ? "port" : line.substring(0, equals), Integer.valueOf(line.substring(equals + 1)));
            }
        }
        Files.delete(readyFile);
    }

    public int port() {
        return ports.getOrDefault("port", 0);
    }

    /** The port of a server's metrics and health. */
    public int adminPort() {
        return ports.getOrDefault("admin-port", 0);
    }

    public long pid() {
        return process.pid();
    }

    /** The processor time that it has used; zero if the system does not say. */
    public Duration cpuTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Whether it still runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    public String what() {
        return what;
    }

    /** A sentence for one that ended before it was stopped: how it ended and what it printed last. */
    public String ending() {
        return what + " ended in the middle, " + howItEnded() + "; " + lastWords();
    }

    /**
     * Asks it to end, by the end of its standard input, and waits until it has.
     *
     * @throws IOException if it had to be killed, or did not end as it should
     */
    public void stop() throws IOException, InterruptedException {
        process.getOutputStream().close();
        if (!process.waitFor(STOP_PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(
                    what + " did not end within " + STOP_PATIENCE.toSeconds() + " s and was killed; " + lastWords());
        }
        if (process.exitValue() != 0) {
            throw new IOException(what + " ended " + howItEnded() + "; " + lastWords());
        }
    }

    /** Ends it, soon: what it acknowledged is on its disk. */
    public void end() {
        try {
            process.getOutputStream().close();
            if (process.waitFor(2, TimeUnit.SECONDS)) {
                return;
            }
        } catch (IOException e) {
            // It has ended already.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        kill();
    }

    /** Kills it if it still runs, and waits for its end. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** As {@link #kill}: whoever closes it removes its files next. */
    @Override
    public void close() {
        kill();
    }

    private String howItEnded() {
        return howItEnded(process.exitValue(), lines());
    }

    /**
     * How a process ended, the rest of a sentence.
     *
     * @param lines what it printed
     */
    static String howItEnded(int code, List<String> lines) {
        for (String line : lines) {
            int at = line.indexOf(OUT_OF_MEMORY);
            if (at >= 0) {
                return "for lack of memory (" + line.substring(at).strip()
                        + "; give it more with PLOG_JAVA_OPTS=-Xmx...)";
            }
        }
        return "with exit code " + code;
    }

    /** Its last sentences; of BookKeeper's own lines and stack traces only their file is named. */
    private String lastWords() {
        List<String> lines = lines().stream()
                .filter(line -> !line.isBlank() && !line.startsWith("[") && !line.startsWith("\t"))
                .toList();
        return "it said: " + String.join("; ", lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()))
                + " (" + output + ")";
    }

    private List<String> lines() {
        try {
            byte[] all = Files.readAllBytes(output);
            int from = (int) Math.min(all.length, outputBefore);
            return new String(all, from, all.length - from, StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            return List.of("its output cannot be read: " + e.getMessage());
        }
    }
}
