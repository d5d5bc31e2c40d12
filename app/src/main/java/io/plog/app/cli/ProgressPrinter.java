package io.plog.app.cli;

import io.plog.measure.ProgressListener;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import picocli.CommandLine;

/** Shows progress: a line that is drawn over on a terminal, a plain line every few seconds elsewhere. */
public final class ProgressPrinter implements ProgressListener, AutoCloseable {
    private static final long PLAIN_LINE_EVERY_NANOS = 5_000_000_000L;

    private final PrintWriter out;
    private final boolean terminal;
    private final LongSupplier nanoTime;
    private long nextLine;
    private int drawn;

    ProgressPrinter(PrintWriter out, boolean terminal, LongSupplier nanoTime) {
        this.out = out;
        this.terminal = terminal;
        this.nanoTime = nanoTime;
        this.nextLine = nanoTime.getAsLong() + PLAIN_LINE_EVERY_NANOS;
    }

    /** Shows it on standard error, which {@code out} must be. */
    public static ProgressPrinter onStandardError(PrintWriter out) {
        return new ProgressPrinter(out, standardErrorIsTerminal(), System::nanoTime);
    }

    /** Looks at standard error itself: where only results are piped on, progress still shows. */
    public static boolean standardErrorIsTerminal() {
        try {
            String device = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            return CommandLine.Help.Ansi.AUTO.enabled();
        }
    }

    @Override
    public synchronized void progress(Progress progress) {
        String line = progress.line();
        if (terminal) {
            out.print("\r" + line + " ".repeat(Math.max(0, drawn - line.length())));
            out.flush();
            drawn = line.length();
        } else if (nanoTime.getAsLong() >= nextLine) {
            nextLine += PLAIN_LINE_EVERY_NANOS;
            out.println(line);
            out.flush();
        }
    }

    /** Prints a line that stays. */
    synchronized void say(String line) {
        close();
        out.println(line);
        out.flush();
    }

    /** Takes the line off the terminal. */
    @Override
    public synchronized void close() {
        if (drawn > 0) {
            out.print("\r" + " ".repeat(drawn) + "\r");
            out.flush();
            drawn = 0;
        }
    }
}
