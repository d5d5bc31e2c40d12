package io.plog.app.cli;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A {@code plog server} in a process of its own, so that its cost does not count as the client's, and the client survives its death. It runs on the same JVM with the same flags, but without
 * agents ({@link ChildJvm}). What it prints goes to a file.
 *
 * <p>Used by one thread.
 */
public final class ServerProcess implements Closeable {
    private static final Duration READY_PATIENCE = Duration.ofMinutes(5);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);
    private static final int LINES_SHOWN = 5;

    /** What the JVM says before it ends itself: see the launcher's flags. */
    private static final String OUT_OF_MEMORY = "java.lang.OutOfMemoryError";

    private final Process process;
    private final Path output;
    private final Path readyFile;
    private int port; // this and the next: once it listens
    private int adminPort;

    private ServerProcess(Process process, Path output, Path readyFile) {
        this.process = process;
        this.output = output;
        this.readyFile = readyFile;
    }

    /**
     * Starts a server on a free port of the loopback interface and waits until it listens.
     *
     * @param directory where its output and its ready file go
     * @param options besides its port and address
     * @throws IOException if it cannot be started or ends before it listens; the message has its last lines
     */
    public static ServerProcess start(Path directory, List<String> options) throws IOException, InterruptedException {
        return start(directory, 0, options);
    }

    /** The same on a port of the caller's choice; 0 for a free one. */
    public static ServerProcess start(Path directory, int wanted, List<String> options)
            throws IOException, InterruptedException {
        ServerProcess started = launch(directory, "server", List.of(), "127.0.0.1", wanted, options);
        try {
            started.awaitListening();
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
    public static ServerProcess launch(
            Path directory, String outputName, List<String> within, String address, int wanted, List<String> options)
            throws IOException {
        Path output = directory.resolve(outputName + ".log");
        Path readyFile = directory.resolve(outputName + ".ready");
        Files.deleteIfExists(readyFile);
        List<String> command = new ArrayList<>(within);
        command.addAll(ChildJvm.ofProgram());
        command.addAll(List.of("server", "--bind", address, "--admin-bind", address));
        command.addAll(List.of("--port", Integer.toString(wanted), "--admin-port", "free"));
        command.addAll(List.of("--ready-file", readyFile.toString()));
        command.addAll(options);
        ProcessBuilder builder = new ProcessBuilder(ChildJvm.shieldedFromInterrupt(command))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        // Settings meant for the user's own server must not change what is measured here.
        builder.environment().keySet().removeIf(name -> name.startsWith("PLOG_") && !name.equals("PLOG_DEBUG"));
        ChildJvm.withoutFlags(builder.environment());
        return new ServerProcess(builder.start(), output, readyFile);
    }

    /**
     * Returns when it listens, and so has ports.
     *
     * @throws IOException if it ends before; the message has its last lines
     */
    public void awaitListening() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + READY_PATIENCE.toNanos();
        while (!Files.exists(readyFile)) {
            if (process.waitFor(10, TimeUnit.MILLISECONDS)) {
                throw new IOException("the server ended " + ending(process.exitValue(), lines(output))
                        + " before it listened; it said: " + lastLines(output));
            }
            if (System.nanoTime() > deadline) {
                throw new IOException("the server did not listen within " + READY_PATIENCE.toMinutes()
                        + " minutes; it said: " + lastLines(output));
            }
        }
        port = portIn(readyFile, "port=");
        adminPort = portIn(readyFile, "admin-port=");
        Files.delete(readyFile);
    }

    private static int portIn(Path readyFile, String key) throws IOException {
        for (String line : Files.readAllLines(readyFile)) {
            if (line.startsWith(key)) {
                return Integer.parseInt(line.substring(key.length()));
            }
        }
        throw new IOException("the server's ready file " + readyFile + " has no line " + key + "N");
    }

    /** The port that it listens on. */
    public int port() {
        return port;
    }

    /** The port of its metrics and health. */
    public int adminPort() {
        return adminPort;
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** Whether it still runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** What it printed last, in one line, for a message. */
    String lastLines() {
        return lastLines(output);
    }

    /** A sentence for a server that ended before it was stopped: how it ended and what it printed last. */
    public String ending() {
        return "the server ended in the middle, " + ending(process.exitValue(), lines(output)) + "; it said: "
                + lastLines();
    }

    /**
     * How a server ended, the rest of a sentence.
     *
     * @param lines what it printed
     */
    static String ending(int code, List<String> lines) {
        for (String line : lines) {
            int at = line.indexOf(OUT_OF_MEMORY);
            if (at >= 0) {
                return "for lack of memory (" + line.substring(at).strip()
                        + "; give it more with PLOG_JAVA_OPTS=-Xmx...)";
            }
        }
        return "with exit code " + code;
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
            throw new IOException("the server did not end within " + STOP_PATIENCE.toSeconds()
                    + " s and was killed; it said: " + lastLines());
        }
        int code = process.exitValue();
        if (code != 0) {
            throw new IOException("the server ended " + ending(code, lines(output)) + "; it said: " + lastLines());
        }
    }

    private static String lastLines(Path output) {
        List<String> lines = lines(output);
        return String.join("; ", lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()));
    }

    private static List<String> lines(Path output) {
        try {
            return new String(Files.readAllBytes(output), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            return List.of("(its output in " + output + " cannot be read: " + e.getMessage() + ")");
        }
    }

    /** Kills it if it still runs, and waits for its end. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Kills it if it still runs. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
