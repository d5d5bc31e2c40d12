package io.plog.app.bookies;

import io.plog.app.cli.ChildJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A ZooKeeper or a bookie in a process of its own, which ends when this one does. Used by one thread. */
final class BookieProcess {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MEMORY_MIB = 256;
    private static final String READY_EARLY = "-XX:TieredStopAtLevel=1";

    private final String what;
    private final Process process;
    private final Path output;
    private final Path ready;

    private BookieProcess(String what, Process process, Path output, Path ready) {
        this.what = what;
        this.process = process;
        this.output = output;
        this.ready = ready;
    }

    /**
     * Starts it and returns at once.
     *
     * @param directory of this cluster, where its output goes
     * @param what its name: of its output, and for messages
     * @param arguments of the tool, without the file that it is to make when it is ready
     * @param readyEarly whether it is to be ready early rather than fast
     */
    static BookieProcess start(
            String classPath, Path directory, String what, List<String> arguments, boolean readyEarly)
            throws IOException {
        Path output = directory.resolve(what + ".log");
        Path ready = directory.resolve(what + ".ready");
        Files.deleteIfExists(ready);
        List<String> flags = new ArrayList<>(List.of(
                "-Xmx" + MEMORY_MIB + "m",
                "-XX:MaxDirectMemorySize=" + MEMORY_MIB + "m",
                "-XX:+UseSerialGC",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-Dzookeeper.admin.enableServer=false"));
        if (readyEarly) {
            flags.add(READY_EARLY);
        }
        List<String> command = new ArrayList<>(ChildJvm.ofProgram(flags, classPath));
        command.add(BookieProcessCommand.NAME);
        command.addAll(arguments);
        command.add(ready.toString());
        ProcessBuilder builder = new ProcessBuilder(ChildJvm.shieldedFromInterrupt(command))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("PLOG_"));
        ChildJvm.withoutFlags(builder.environment());
        return new BookieProcess(what, builder.start(), output, ready);
    }

    /**
     * Waits until it can be used.
     *
     * @return the port that it listens on
     * @throws IOException if it ends before, or takes too long; the message names the file with what it said
     */
    int awaitReady() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!Files.exists(ready)) {
            if (process.waitFor(10, TimeUnit.MILLISECONDS)) {
                throw new IOException(what + " ended with exit code " + process.exitValue() + " before it was ready"
                        + lastSentence() + "; what it said is in " + output);
            }
            if (System.nanoTime() > deadline) {
                throw new IOException(
                        what + " was not ready within " + PATIENCE.toSeconds() + " s; it may say why in " + output);
            }
        }
        int port = Integer.parseInt(Files.readString(ready));
        Files.delete(ready);
        return port;
    }

    /** Its reason is what it said last, if that is a sentence: of BookKeeper's own lines only their file is named. */
    private String lastSentence() throws IOException {
        List<String> lines = new String(Files.readAllBytes(output), StandardCharsets.UTF_8)
                .lines()
                .toList();
        String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1);
        return last.isBlank() || last.startsWith("[") || last.startsWith("\t") ? "" : " (" + last + ")";
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** For messages: what ended, and where it said why. */
    String ending() {
        return what + " (process " + process.pid() + ") ended with exit code " + process.exitValue()
                + "; it may say why in " + output;
    }

    long pid() {
        return process.pid();
    }

    String what() {
        return what;
    }

    /** Ends it; what it acknowledged is on its disk. */
    void end() {
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
        process.destroyForcibly().onExit().join();
    }
}
