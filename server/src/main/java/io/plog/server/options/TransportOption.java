package io.plog.server.options;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Through which interface of the operating system a server's event loops wait for their sockets, read and write them. Where the machine
 * does not offer one, the next is used.
 */
public enum TransportOption {
    /** The first of the others that the machine offers. */
    AUTO,
    /** Linux's io_uring: one system call for all that a turn of the loop reads and writes. Containers often refuse it. */
    IO_URING,
    /** Linux's epoll: a system call for each read and each write. */
    EPOLL,
    /** The JDK's selectors, on any system. */
    NIO;

    /** As it is written on the command line and in facts. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The label, which help and completion offer. */
    @Override
    public String toString() {
        return label();
    }

    public static String labels() {
        return Arrays.stream(values()).map(TransportOption::label).collect(Collectors.joining(", "));
    }

    /**
     * Reads a {@link #label}.
     *
     * @throws IllegalArgumentException if it is none; the message names all
     */
    public static TransportOption parse(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("unknown transport '" + label + "': expected one of " + labels()));
    }
}
