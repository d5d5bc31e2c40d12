package io.plog.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Small text files of {@code /proc} and {@code /sys}. What cannot be read reads as a text of the caller. Stateless. */
public final class LinuxFiles {
    /** What a fact is called that the system does not tell. */
    public static final String UNKNOWN = "unknown";

    private LinuxFiles() {}

    /** The whole text, or another if it cannot be read. */
    public static String read(Path file, String otherwise) {
        try {
            return Files.readString(file);
        } catch (IOException | RuntimeException e) {
            return otherwise;
        }
    }

    /** The text without the white space around it, or {@link #UNKNOWN}. */
    public static String fact(Path file) {
        return read(file, UNKNOWN).strip();
    }

    /** All lines; none if it cannot be read. */
    public static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (IOException | RuntimeException e) {
            return List.of();
        }
    }

    /** What stands behind the first {@code name:} of a text, or {@link #UNKNOWN}. */
    public static String value(String text, String name) {
        for (String line : text.split("\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.substring(0, colon).strip().equals(name)) {
                return line.substring(colon + 1).strip();
            }
        }
        return UNKNOWN;
    }

    /** The number by which the kernel knows the calling thread. */
    public static String currentThread() throws IOException {
        Path self = Files.readSymbolicLink(Path.of("/proc/thread-self")); // a link to PID/task/TID
        return String.valueOf(self.getFileName());
    }
}
