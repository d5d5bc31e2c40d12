package io.plog.e2e.support;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The lines of one output stream of a process, read as they come. Safe for use by several threads. */
public final class Output {
    private final List<String> lines = new ArrayList<>();
    private final Thread reader;
    private boolean ended;

    public Output(String name, InputStream stream) {
        reader = new Thread(() -> read(stream), name);
        reader.setDaemon(true);
        reader.start();
    }

    private void read(InputStream stream) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                synchronized (this) {
                    lines.add(line);
                    notifyAll();
                }
            }
        } catch (IOException closed) {
            // The process was killed: what came before is what there is.
        }
        synchronized (this) {
            ended = true;
            notifyAll();
        }
    }

    /** Waits for a line, those before this call included. Empty if the stream ends or time is up first. */
    public synchronized Optional<String> await(Predicate<String> wanted, Duration patience)
            throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        int next = 0;
        while (true) {
            for (; next < lines.size(); next++) {
                if (wanted.test(lines.get(next))) {
                    return Optional.of(lines.get(next));
                }
            }
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (ended || left <= 0) {
                return Optional.empty();
            }
            wait(left);
        }
    }

    /** Waits until the stream ends. */
    public void awaitEnd(Duration patience) throws InterruptedException {
        reader.join(patience.toMillis());
    }

    public synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    /** All of it, with a line feed after each line. */
    public synchronized String text() {
        return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
    }
}
