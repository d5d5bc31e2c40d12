package io.plog.app.demo;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A disk of a demo, as {@code --log-dir} names it: {@code DIR}, or {@code NAME=DIR} to tell it from others by more than a letter.
 *
 * @param name follows the way of forcing in the names of its targets; empty if it has none
 * @param directory on that disk
 */
record DemoDisk(String name, Path directory) {
    private static final Pattern NAMED = Pattern.compile("([A-Za-z0-9_-]{1,20})=(.*)", Pattern.DOTALL);

    /** Reads the option; what stands before {@code =} and is no name belongs to the directory. */
    static DemoDisk parse(String text) {
        Matcher named = NAMED.matcher(text);
        return named.matches()
                ? new DemoDisk(named.group(1), Path.of(named.group(2)))
                : new DemoDisk("", Path.of(text));
    }

    /** The option again, the same whatever directory plog is started in. */
    String absolute() {
        return (name.isEmpty() ? "" : name + "=") + directory.toAbsolutePath().normalize();
    }
}
