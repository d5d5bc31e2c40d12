package io.plog.report.study;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a design's label says: {@code dedicated}, {@code inline, 4 loops}, {@code threads=150}.
 *
 * @param kind what waits for the force
 * @param threads at most so many; 0 where there are none
 * @param loops event loops
 */
record DesignLabel(String label, Kind kind, int threads, int loops) {
    private static final Pattern LABEL = Pattern.compile(
            "(adaptive|dedicated|inline|turn|threads-shared|threads)(?:=(\\d{1,6}))?(?:[, ]+(\\d{1,4}) (?:event )?loops?)?");

    /** The six designs; any other name is {@link #UNKNOWN}. */
    enum Kind {
        /** A log thread forces, or, for the only connection, the event loop. No published server waits so. */
        ADAPTIVE,
        /** A log thread forces; the event loops never wait. */
        DEDICATED,
        /** The event loop forces before it goes on. */
        INLINE,
        /** The event loop forces once for all that it has read, before it goes on. No published server waits so. */
        TURN,
        /** A thread for each connection, each with a force of its own. */
        THREADS,
        /** A thread for each connection; those who wait share a force. */
        THREADS_SHARED,
        /** One that this version does not know. */
        UNKNOWN
    }

    static DesignLabel of(String label) {
        Matcher matcher = LABEL.matcher(label.trim());
        if (!matcher.matches()) {
            return new DesignLabel(label, Kind.UNKNOWN, 0, 1);
        }
        Kind kind = switch (matcher.group(1)) {
            case "adaptive" -> Kind.ADAPTIVE;
            case "dedicated" -> Kind.DEDICATED;
            case "inline" -> Kind.INLINE;
            case "turn" -> Kind.TURN;
            case "threads" -> Kind.THREADS;
            default -> Kind.THREADS_SHARED;
        };
        return new DesignLabel(label, kind, number(matcher.group(2), 0), number(matcher.group(3), 1));
    }

    private static int number(@Nullable String digits, int otherwise) {
        return digits == null ? otherwise : Integer.parseInt(digits);
    }

    /** The published server that waits in the same way, with as many loops or the nearest number of threads; empty if none. */
    String publishedServer() {
        String instances = loops == 1 ? ", 1 instance" : ", 4 instances";
        return switch (kind) {
            case DEDICATED -> "New-Flash" + instances;
            case INLINE -> "Old Flash" + instances;
            case THREADS -> threads > 0 && threads < 225 ? "Apache, 150 processes" : "Apache, 300 processes";
            case THREADS_SHARED -> "Flashpache";
            case ADAPTIVE, TURN, UNKNOWN -> "";
        };
    }

    /** The same without instances or processes. */
    String publishedFamily() {
        return switch (kind) {
            case DEDICATED -> "New-Flash";
            case INLINE -> "Old Flash";
            case THREADS -> "Apache";
            case THREADS_SHARED -> "Flashpache";
            case ADAPTIVE, TURN, UNKNOWN -> "";
        };
    }
}
