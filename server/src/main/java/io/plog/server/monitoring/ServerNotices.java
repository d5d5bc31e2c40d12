package io.plog.server.monitoring;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Messages of a running server: one line for each notice, with the time of day in UTC as ISO 8601 writes it.
 *
 * <pre>2026-11-22T11:24:06.123Z target a: its log takes requests again
 * {"time":"2026-11-22T11:24:06.123Z","message":"target a: its log takes requests again"}   as JSON</pre>
 *
 * <p>It is used when something has just failed, so it needs nothing that could fail, too: no file is opened (a time zone, a
 * character set, a resource), and one write leaves the process. All that it uses is loaded by the first line, which
 * {@link #prepare} writes into nothing. Safe for any thread.
 */
public final class ServerNotices {
    private static final ServerNotices STANDARD_ERROR =
            new ServerNotices(new FileOutputStream(FileDescriptor.err), System::currentTimeMillis);

    private static final DateTimeFormatter TIME =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

    /** Causes of a failure that are reported; more of them say nothing new. */
    private static final int MOST_CAUSES = 3;

    private final OutputStream out;
    private final LongSupplier clock;
    private volatile boolean json;

    /** @param out where the lines go, each in one write */
    public ServerNotices(OutputStream out, LongSupplier clock) {
        this.out = out;
        this.clock = clock;
    }

    /** Those of this process, on standard error. */
    public static ServerNotices standardError() {
        return STANDARD_ERROR;
    }

    /**
     * Loads what a notice needs, and what the libraries below the server need for theirs: {@code java.util.logging} opens the file of time
     * zones when it writes its first line. With no file descriptor left that is an {@code Error}, and would end the thread that had
     * something to report. To be called before anything can run short.
     */
    public static void prepare() {
        new ServerNotices(OutputStream.nullOutputStream(), System::currentTimeMillis)
                .say("ready to report", new IOException("nothing"));
        // What java.util.logging.SimpleFormatter does with a time, the zone's rules and the names of months included.
        String line = String.format(
                Locale.getDefault(Locale.Category.FORMAT),
                "%1$tb %1$td, %1$tY %1$tl:%1$tM:%1$tS %1$Tp",
                ZonedDateTime.now(ZoneId.systemDefault()));
        if (line.isEmpty()) {
            throw new IllegalStateException("a time without a text");
        }
    }

    /** Each line is a JSON object from now on. */
    public void asJson() {
        json = true;
    }

    /** Writes one line. Control characters in it, which may be a peer's, become question marks. */
    public void say(String sentence) {
        boolean object = json;
        StringBuilder line = new StringBuilder(sentence.length() + 64);
        line.append(object ? "{\"time\":\"" : "");
        line.append(time(clock.getAsLong()));
        line.append(object ? "\",\"message\":\"" : " ");
        for (int i = 0; i < sentence.length(); i++) {
            char c = sentence.charAt(i);
            if (object && (c == '"' || c == '\\')) {
                line.append('\\');
            }
            line.append(c == '\n' ? ' ' : Character.isISOControl(c) ? '?' : c);
        }
        line.append(object ? "\"}" : "");
        byte[] bytes = line.append('\n').toString().getBytes(StandardCharsets.UTF_8);
        synchronized (this) {
            try {
                out.write(bytes);
                out.flush();
            } catch (IOException e) {
                // Standard error is gone, so there is no place to report this.
            }
        }
    }

    /** Writes one line about an unexpected failure, with its causes and the place where each was thrown. */
    public void say(String sentence, Throwable cause) {
        StringBuilder all = new StringBuilder(sentence);
        Throwable each = cause;
        for (int i = 0; i < MOST_CAUSES && each != null; i++) {
            all.append(i == 0 ? ": " : "; caused by ").append(each);
            StackTraceElement[] trace = each.getStackTrace();
            if (trace.length > 0) {
                StackTraceElement at = trace[0];
                all.append(" at ").append(at.getClassName()).append('.').append(at.getMethodName());
                all.append(':').append(at.getLineNumber());
            }
            each = each.getCause();
        }
        say(all.toString());
    }

    /** A time as {@code 2026-11-22T11:24:06.123Z}, of the milliseconds since 1970. */
    public static String time(long millis) {
        return TIME.format(Instant.ofEpochMilli(millis));
    }
}
