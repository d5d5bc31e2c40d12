package io.plog.app.cli;

import io.plog.log.LogTools;
import java.io.IOException;
import java.nio.file.Path;

/** A place in a segment's file as it is named on a command line: a number of bytes, or {@code end} for where its records end. */
public final class SegmentOffset {
    private static final String END = "end";

    private SegmentOffset() {}

    /**
     * The place in bytes from the start of the file.
     *
     * @param at a number, or {@code end}
     * @throws IllegalArgumentException if it is neither, or the file is no segment of a log
     */
    public static long of(Path file, String at) throws IOException {
        if (at.matches("\\d{1,18}")) {
            return Long.parseLong(at);
        }
        Path directory = file.toAbsolutePath().getParent();
        if (!at.equals(END) || directory == null) {
            throw new IllegalArgumentException("--at is '" + at + "': expected a number of bytes, or " + END);
        }
        String name = file.getFileName().toString();
        return LogTools.inspect(directory).segments().stream()
                .filter(segment -> segment.file().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(file + " is no segment of the log in " + directory))
                .usedBytes();
    }
}
