package io.plog.app.load;

import io.plog.measure.load.LoadListener;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** Prints the progress of a load: on a terminal one line that is redrawn, elsewhere a line every ten seconds. */
final class LoadProgressPrinter implements LoadListener {
    private static final long QUIET_SECONDS = 10;

    private final PrintWriter err;
    private final boolean terminal;
    private long lastSeconds = -QUIET_SECONDS;

    LoadProgressPrinter(PrintWriter err, boolean terminal) {
        this.err = err;
        this.terminal = terminal;
    }

    @Override
    public synchronized void progress(Progress progress) {
        long seconds = progress.elapsed().toSeconds();
        String line = progress.elapsed().isZero()
                ? progress.target() + ": connecting"
                : String.format(
                        Locale.ROOT,
                        "%s: %d s%s, %,d replies, %,.0f/s, %,d without reply",
                        progress.target(),
                        seconds,
                        progress.planned().equals(Duration.ZERO)
                                ? ""
                                : " of " + progress.planned().toSeconds() + " s",
                        progress.answered(),
                        progress.perSecond(),
                        progress.outstanding());
        if (terminal) {
            err.print("\r\u001b[K" + line);
            err.flush();
        } else if (seconds >= lastSeconds + QUIET_SECONDS) {
            lastSeconds = seconds;
            err.println(line);
        }
    }

    /** Clears the line on a terminal. */
    synchronized void done() {
        if (terminal) {
            err.print("\r\u001b[K");
            err.flush();
        }
    }
}
