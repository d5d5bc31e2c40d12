package io.plog.app.cli;

import io.plog.measure.ProgressListener;
import io.plog.stats.text.ByteSize;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.LongSupplier;
import picocli.CommandLine;

/** Shows progress: a line that is drawn over on a terminal, a plain line every few seconds elsewhere. */
public final class ProgressPrinter implements ProgressListener {
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
    public void progress(Progress progress) {
        show(line(progress));
    }

    /** Shows how far it is, in one line. */
    public synchronized void show(String line) {
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

    /** Takes the line off the terminal. */
    public synchronized void done() {
        if (drawn > 0) {
            out.print("\r" + " ".repeat(drawn) + "\r");
            out.flush();
            drawn = 0;
        }
    }

    /** How far it is, in one line. */
    public static String line(Progress progress) {
        String phase = (progress.trials() == 1 ? "" : "trial " + progress.trial() + "/" + progress.trials() + " ")
                + (progress.warmup() ? "warm-up" : "block " + progress.block() + "/" + progress.blocks());
        return String.format(
                Locale.ROOT,
                "%s  %d/%d (%d %%)  %,.0f/s  %s left  %s %sB",
                phase,
                progress.done(),
                progress.total(),
                progress.done() * 100 / Math.max(1, progress.total()),
                progress.perSecond(),
                duration(progress.leftMillis() / 1000),
                progress.target(),
                ByteSize.format(progress.payloadBytes()).replace("B", ""));
    }

    private static String duration(long seconds) {
        return seconds >= 3600
                ? String.format(Locale.ROOT, "%d:%02d h", seconds / 3600, seconds / 60 % 60)
                : String.format(Locale.ROOT, "%d:%02d min", seconds / 60, seconds % 60);
    }
}
