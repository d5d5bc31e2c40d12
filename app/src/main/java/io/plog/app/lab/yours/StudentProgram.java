package io.plog.app.lab.yours;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A program of a student's, in any language, that reads and writes lines. What it says on standard error is shown. It ends with the judge
 * at the latest. One thread reads; any may write.
 */
final class StudentProgram {
    private static final int MOST_SHOWN = 100; // characters

    private final Process process;
    private final BufferedReader from;
    private final BufferedWriter to;

    /** Starts it. */
    StudentProgram(String command, String... arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of(command.strip().split("\\s+")));
        words.addAll(List.of(arguments));
        try {
            process = new ProcessBuilder(words)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new IOException(
                    "'" + words.get(0)
                            + "' cannot be started: expected a program of the PATH or a path, and its arguments, in"
                            + " --command",
                    e);
        }
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(this::kill)); // one for each that was ever started
        } catch (IllegalStateException e) {
            kill(); // the judge has been interrupted
        }
        from = process.inputReader();
        to = process.outputWriter();
    }

    /** @throws IOException if it does not read any more */
    void say(String line) throws IOException {
        synchronized (to) {
            to.write(line + "\n");
            to.flush();
        }
    }

    /** Says the last lines, whether it reads them or not. */
    void sayAtLast(List<String> lines) {
        try (to) {
            for (String line : lines) {
                say(line);
            }
        } catch (IOException e) {
            // It has ended, or reads no input.
        }
    }

    /**
     * The next line that it says; null when it has ended.
     *
     * @param most characters of it; the rest is left out
     */
    @Nullable
    String line(int most) {
        StringBuilder line = new StringBuilder();
        try {
            int next = from.read();
            for (; next >= 0 && next != '\n'; next = from.read()) {
                if (next != '\r' && line.length() < most) {
                    line.append((char) next);
                }
            }
            return next < 0 && line.isEmpty() ? null : line.toString();
        } catch (IOException e) {
            return null; // it was killed
        }
    }

    /** Ends it; returns what it has said since, at most so many lines of so many characters. */
    List<String> killed(int lines, int most) throws IOException {
        kill();
        List<String> left = new ArrayList<>();
        while (from.ready() && left.size() < lines) {
            left.add(String.valueOf(line(most)));
        }
        return left;
    }

    /** What it said, for people: in quotes, and not too long. */
    static String shown(String said) {
        String readable = said.replaceAll("[^\\x20-\\x7E]", "?");
        return readable.length() <= MOST_SHOWN
                ? "'" + readable + "'"
                : "'" + readable.substring(0, MOST_SHOWN) + "...', " + readable.length() + " characters";
    }

    /** Whether it ends within some time. */
    boolean ends(int seconds) throws InterruptedException {
        return process.waitFor(seconds, TimeUnit.SECONDS);
    }

    /** How one that has ended did, a sentence; empty if in order. */
    String ending() {
        return process.exitValue() == 0 ? "" : "the program ended with code " + process.exitValue();
    }

    /** Ends it and its children. */
    void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.toHandle().destroyForcibly(); // and leave what it has said
    }
}
