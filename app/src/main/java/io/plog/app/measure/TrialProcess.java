package io.plog.app.measure;

import io.plog.app.cli.ChildJvm;
import io.plog.app.cli.JsonText;
import io.plog.measure.MeasureOrder;
import io.plog.measure.PlanException;
import io.plog.measure.ProgressListener;
import io.plog.measure.samples.RunInfo;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A trial in a process of its own, on the same JVM with the same flags as this one: warms up, waits, and counts when it is told to.
 * {@link #stop} may come from any thread, the rest from one.
 */
final class TrialProcess implements Closeable {
    private static final int LINES_SHOWN = 5;
    private static final int END_SECONDS = 30;

    private final int number;
    private final Process process;
    private final Path errors;
    private final CompletableFuture<Void> warm = new CompletableFuture<>();
    private final CompletableFuture<Optional<TrialOrder.Line>> last = new CompletableFuture<>();

    private TrialProcess(int number, Process process, Path errors) {
        this.number = number;
        this.process = process;
        this.errors = errors;
    }

    /**
     * Starts it; it warms up.
     *
     * @param order names the server
     * @param trial from 0
     * @param samples created if it is not there
     * @param listener called on a thread of its own
     * @param within what its command line begins with
     */
    static TrialProcess start(
            MeasureOrder order, int trial, Path samples, ProgressListener listener, List<String> within)
            throws IOException {
        Path errors = samples.resolveSibling("trial-" + (trial + 1) + ".stderr");
        ProcessBuilder builder = ChildJvm.command(within, TrialMain.class).redirectError(errors.toFile());
        TrialProcess started = new TrialProcess(trial, builder.start(), errors);
        started.send(JsonText.line(new TrialOrder(order, trial, samples.toAbsolutePath())));
        Thread follow = new Thread(() -> started.follow(listener), "plog-trial-" + (trial + 1));
        follow.setDaemon(true);
        follow.start();
        return started;
    }

    /** The trial's number, from 0. */
    int number() {
        return number;
    }

    /** Returns when it has warmed up, or has ended. */
    void awaitWarm() {
        CompletableFuture.anyOf(warm, last).join();
    }

    /**
     * Measures.
     *
     * @throws PlanException if the server cannot do what the plan asks for
     * @throws IOException if the server cannot be reached, or the file not written
     */
    RunInfo.End count() throws IOException, PlanException, InterruptedException {
        send(TrialOrder.COUNT);
        TrialOrder.Line said = last.join().orElse(null);
        int code = process.waitFor();
        if (said != null && said.end() != null) {
            return said.end();
        }
        if (said != null && said.refused() != null) {
            throw new PlanException(said.refused());
        }
        throw new IOException(
                said != null && said.failed() != null
                        ? said.failed()
                        : "the process of trial " + (number + 1) + " ended with exit code " + code
                                + " in the middle; it said: " + lastLines());
    }

    /** Passes its progress on until its last word, which it may not have had. */
    private void follow(ProgressListener listener) {
        TrialOrder.Line word = null;
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (!line.startsWith("{")) {
                    continue; // the JVM's own warnings go to standard output, too
                }
                TrialOrder.Line said = JsonText.read(line, TrialOrder.Line.class);
                if (said.progress() != null) {
                    listener.progress(said.progress());
                } else if (said.warm()) {
                    warm.complete(null);
                } else {
                    word = said;
                }
            }
        } catch (IOException e) {
            // It was killed; it has no last word.
        } finally {
            last.complete(Optional.ofNullable(word));
        }
    }

    private void send(String line) {
        try {
            OutputStream in = process.getOutputStream();
            in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
        } catch (IOException e) {
            // It is gone already; its end says so.
        }
    }

    /** Ends the trial after the requests under way. */
    void stop() {
        send(TrialOrder.STOP);
    }

    private String lastLines() throws IOException {
        List<String> lines = Files.readAllLines(errors, StandardCharsets.UTF_8);
        return lines.isEmpty()
                ? "nothing"
                : String.join("; ", lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()));
    }

    /** Stops it if it is not over, and waits until it has written what it measured. */
    @Override
    public void close() throws IOException {
        stop();
        try {
            process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
        Files.deleteIfExists(errors);
    }

    /**
     * The order that a trial's process reads from its standard input, as one line of JSON. Both sides are of the same program file.
     *
     * @param samples the file to write, absolute
     */
    record TrialOrder(MeasureOrder order, int trial, Path samples) {
        /** The line that lets a process that has warmed up go on. */
        static final String COUNT = "count";

        /** The line that ends it. */
        static final String STOP = "stop";

        /**
         * A line that the process prints: progress; once that it has warmed up; as the last line how the trial ended, or why it could not
         * begin.
         */
        record Line(
                boolean warm,
                ProgressListener.@Nullable Progress progress,
                RunInfo.@Nullable End end,
                @Nullable String refused,
                @Nullable String failed) {}
    }
}
