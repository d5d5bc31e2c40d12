package io.plog.server;

import io.plog.server.monitoring.ServerNotices;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Locale;

/**
 * Loads what a report of a failure needs before there is one. The libraries below the server log through {@code
 * java.util.logging}, which opens the file of time zones when it writes its first line; with no file descriptor left that is an
 * {@code Error}, and it would end the thread that had something to report.
 */
final class ReportingPreload {
    private ReportingPreload() {}

    /** To be called before a port opens. */
    static void prepare() {
        ServerNotices.prepare();
        // What java.util.logging.SimpleFormatter does with a time, the zone's rules and the names of months included.
        String line = String.format(
                Locale.getDefault(Locale.Category.FORMAT),
                "%1$tb %1$td, %1$tY %1$tl:%1$tM:%1$tS %1$Tp",
                ZonedDateTime.now(ZoneId.systemDefault()));
        if (line.isEmpty()) {
            throw new IllegalStateException("a time without a text");
        }
    }
}
