package io.plog.app.server;

import io.plog.app.Main;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A plog process with its output in files. */
final class Program implements AutoCloseable {
    private final Process process;
    private final Path out;
    private final Path err;

    private Program(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    static Program start(Path scratch, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // Short lives: no time for the second compiler to pay.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:+PerfDisableSharedMem",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(args));
        Path out = Files.createTempFile(scratch, "out", ".txt");
        Path err = Files.createTempFile(scratch, "err", ".txt");
        return new Program(
                new ProcessBuilder(command)
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start(),
                out,
                err);
    }

    /** Waits for the end and gives the exit code. */
    int exitCode() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new AssertionError("still running: " + err());
        }
        return process.exitValue();
    }

    /** Waits until this file is there, which the program makes when it is ready. */
    void await(Path file) throws InterruptedException {
        while (!Files.exists(file)) {
            if (process.waitFor(10, TimeUnit.MILLISECONDS)) {
                throw new AssertionError("ended with " + process.exitValue() + ": " + err());
            }
        }
    }

    void terminate() {
        process.destroy(); // SIGTERM
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    long pid() {
        return process.pid();
    }

    String out() {
        return read(out);
    }

    String err() {
        return read(err);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
