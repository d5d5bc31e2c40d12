package io.plog.server.options;

import java.util.Arrays;
import java.util.List;

/**
 * Which design a server has: where it waits for the force of its log. All keep the rule, and differ in nothing else. The
 * designs are those that Ruan and Pai compare (<cite>Understanding and Addressing Blocking-Induced Network Server
 * Latency</cite>, USENIX ATC 2006), with the force of the log as the operation that blocks.
 *
 * @param kind which of the four
 * @param threads with {@link Kind#THREADS} and {@link Kind#THREADS_SHARED}, how many connections are served at once, 1 to
 *     {@link #MOST_THREADS}; else 0
 */
public record DesignOption(Kind kind, int threads) {
    public enum Kind {
        /**
         * The log's threads write and force, event loops never wait (as New-Flash); but while one connection is open and sends one
         * request at a time, its event loop, which has nobody else to serve, writes and forces it itself.
         */
        DEDICATED("dedicated", false),
        /** The event loop writes and forces each request itself before it continues (as Old Flash). */
        INLINE("inline", false),
        /** A thread for each connection, which writes and forces each request itself (as Apache's processes). */
        THREADS("threads", true),
        /** A thread for each connection; all who wait share one force (as Flashpache). */
        THREADS_SHARED("threads-shared", true);

        private final String label;
        private final boolean hasThreads;

        Kind(String label, boolean hasThreads) {
            this.label = label;
            this.hasThreads = hasThreads;
        }
    }

    /** The design of a server without the option. */
    public static final DesignOption DEFAULT = new DesignOption(Kind.DEDICATED, 0);

    /** The stacks of more would take more memory than anything else. */
    public static final int MOST_THREADS = 4_096;

    /** @throws IllegalArgumentException if the number is out of its range, or not 0 where there are no threads */
    public DesignOption {
        if (kind.hasThreads ? threads < 1 || threads > MOST_THREADS : threads != 0) {
            throw new IllegalArgumentException("design " + kind.label + " with " + threads + " threads: expected "
                    + (kind.hasThreads ? "1 to " + MOST_THREADS : "none"));
        }
    }

    /**
     * Reads a {@link #label}.
     *
     * @throws IllegalArgumentException if it is none; the message names all four
     */
    public static DesignOption parse(String label) {
        int equals = label.indexOf('=');
        String name = equals < 0 ? label : label.substring(0, equals);
        Kind kind = Arrays.stream(Kind.values())
                .filter(each -> each.label.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "unknown design '" + label + "': expected dedicated, inline, threads=N or threads-shared=N"));
        if (!kind.hasThreads) {
            if (equals >= 0) {
                throw new IllegalArgumentException("design '" + label + "': expected " + name + " without a number");
            }
            return new DesignOption(kind, 0);
        }
        String number = equals < 0 ? "" : label.substring(equals + 1);
        if (!number.matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException("design '" + label + "': expected " + name + "=N, N from 1 to "
                    + MOST_THREADS + ", the connections served at once");
        }
        return new DesignOption(kind, Integer.parseInt(number));
    }

    public static List<String> names() {
        return Arrays.stream(Kind.values()).map(each -> each.label).toList();
    }

    /** As it is written on the command line and in facts and metrics. */
    public String label() {
        return threads == 0 ? kind.label : kind.label + "=" + threads;
    }

    /** Whether each request is forced by itself, so that the log's groups are of one record. */
    public boolean forcesAlone() {
        return kind == Kind.INLINE || kind == Kind.THREADS;
    }
}
