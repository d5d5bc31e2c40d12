package io.plog.app.measure;

import io.plog.app.cli.ChildJvm;
import io.plog.app.cli.JsonText;
import io.plog.measure.MeasureOrder;
import io.plog.measure.PlanException;
import io.plog.measure.ProgressListener;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.Trial;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs each trial in a process of its own, on the same JVM with the same flags as this one. */
final class TrialProcess implements TrialRunner {
    private static final int LINES_SHOWN = 5;

    private @Nullable Process process;
    private boolean stopped;

    @Override
    public RunInfo.End run(MeasureOrder order, Trial trial, Path samples, ProgressListener listener)
            throws IOException, PlanException, InterruptedException {
        Path errors = samples.resolveSibling(samples.getFileName() + ".stderr");
        ProcessBuilder builder = new ProcessBuilder(ChildJvm.command(List.of(), TrialMain.class.getName()))
                .redirectError(errors.toFile());
        ChildJvm.withoutFlags(builder.environment());
        Process started = builder.start();
        try {
            send(started, JsonText.line(new TrialOrder(order, trial, samples.toAbsolutePath())));
            begin(started);
            TrialOrder.Line last = follow(started, listener);
            int code = started.waitFor();
            if (last != null && last.end() != null) {
                return last.end();
            }
            if (last != null && last.refused() != null) {
                throw new PlanException(last.refused());
            }
            throw new IOException(
                    last != null && last.failed() != null
                            ? last.failed()
                            : "the process of trial " + (trial.number() + 1) + " ended with exit code " + code
                                    + " in the middle; it said: " + lastLines(errors));
        } finally {
            started.destroyForcibly();
            Files.deleteIfExists(errors);
        }
    }

    private synchronized void begin(Process started) throws IOException {
        process = started;
        if (stopped) {
            send(started, "stop");
        }
    }

    /** Passes its progress on; returns its last word, null if it had none. */
    private static TrialOrder.@Nullable Line follow(Process started, ProgressListener listener) throws IOException {
        TrialOrder.Line last = null;
        try (BufferedReader out = started.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (!line.startsWith("{")) {
                    continue; // the JVM's own warnings go to standard output, too
                }
                TrialOrder.Line said = JsonText.read(line, TrialOrder.Line.class);
                if (said.progress() != null) {
                    listener.progress(said.progress());
                } else {
                    last = said;
                }
            }
        }
        return last;
    }

    private static void send(Process started, String line) throws IOException {
        OutputStream in = started.getOutputStream();
        in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        in.flush();
    }

    @Override
    public synchronized void stop() {
        stopped = true;
        if (process != null) {
            try {
                send(process, "stop");
            } catch (IOException e) {
                // It is gone already; its end says so.
            }
        }
    }

    private static String lastLines(Path errors) throws IOException {
        List<String> lines = Files.readAllLines(errors, StandardCharsets.UTF_8);
        return lines.isEmpty()
                ? "nothing"
                : String.join("; ", lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()));
    }
}
