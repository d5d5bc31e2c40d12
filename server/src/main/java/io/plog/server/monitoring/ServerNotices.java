package io.plog.server.monitoring;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;

/**
 * Messages of a running server: one line for each notice, with the time of day in UTC as ISO 8601 writes it.
 *
 * <pre>2026-11-22T11:24:06.123Z target a: its log takes requests again
 * {"time":"2026-11-22T11:24:06.123Z","message":"target a: its log takes requests again"}   as JSON</pre>
 *
 * <p>It is used when something has just failed, so it needs nothing that could fail, too: no file is opened (a time zone, a
 * character set, a resource), no format is looked up, and one write leaves the process. All that it uses is loaded by the first
 * line, which {@link #prepare} writes into nothing. Safe for any thread.
 */
public final class ServerNotices {
    private static final ServerNotices STANDARD_ERROR =
            new ServerNotices(new FileOutputStream(FileDescriptor.err), System::currentTimeMillis);

    private static final int MILLIS_OF_DAY = 86_400_000;

    /** Causes of a failure that are reported; more of them say nothing new. */
    private static final int MOST_CAUSES = 3;

    private final OutputStream out;
    private final LongSupplier clock;
    private volatile boolean json;

    /**
     * Writes lines to this stream.
     *
     * @param out where the lines go, each in one write
     * @param clock tells the milliseconds since 1970-01-01 in UTC
     */
    public ServerNotices(OutputStream out, LongSupplier clock) {
        this.out = out;
        this.clock = clock;
    }

    /** Those of this process, on standard error. */
    public static ServerNotices standardError() {
        return STANDARD_ERROR;
    }

    /** Loads what a notice needs. To be called before anything can run short. */
    public static void prepare() {
        new ServerNotices(OutputStream.nullOutputStream(), System::currentTimeMillis)
                .say("ready to report", new IOException("nothing"));
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
        time(line, clock.getAsLong());
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

    /**
     * Writes a time as {@code 2026-11-22T11:24:06.123Z}. By own arithmetic, since the JDK's loads classes and files for it. The
     * date is Howard Hinnant's {@code civil_from_days} (https://howardhinnant.github.io/date_algorithms.html): in a year that
     * begins in March, the day of a leap year comes last.
     *
     * @param millis since 1970-01-01 in UTC, at least 0
     */
    public static void time(StringBuilder to, long millis) {
        long days = millis / MILLIS_OF_DAY + 719_468; // since 0000-03-01
        long era = days / 146_097; // of 400 years
        long dayOfEra = days % 146_097;
        long yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        long monthFromMarch = (5 * dayOfYear + 2) / 153;
        long day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1;
        long month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
        long year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
        int millisOfDay = (int) (millis % MILLIS_OF_DAY);
        digits(to, year, 4).append('-');
        digits(to, month, 2).append('-');
        digits(to, day, 2).append('T');
        digits(to, millisOfDay / 3_600_000, 2).append(':');
        digits(to, millisOfDay / 60_000 % 60, 2).append(':');
        digits(to, millisOfDay / 1_000 % 60, 2).append('.');
        digits(to, millisOfDay % 1_000, 3).append('Z');
    }

    /** The same as a text. */
    public static String time(long millis) {
        StringBuilder text = new StringBuilder(24);
        time(text, millis);
        return text.toString();
    }

    private static StringBuilder digits(StringBuilder to, long number, int count) {
        long unit = 1;
        for (int i = 1; i < count; i++) {
            unit *= 10;
        }
        for (; unit > 0; unit /= 10) {
            to.append((char) ('0' + number / unit % 10));
        }
        return to;
    }
}
