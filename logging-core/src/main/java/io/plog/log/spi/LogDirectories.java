package io.plog.log.spi;

import io.plog.log.LogOptions;
import io.plog.log.storage.LogException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The directories of a log, as people write them: one, or several with {@code +} between, in the log's order. */
public final class LogDirectories {
    private LogDirectories() {}

    /**
     * Reads {@code DIR} or {@code DIR1+DIR2+...}. A text that is the name of a directory which exists is that directory, also
     * with a {@code +} in it.
     *
     * @throws IllegalArgumentException if one of the names is empty
     */
    public static List<Path> parse(String text) {
        Path one = Path.of(text);
        if (text.isEmpty() || text.indexOf('+') < 0 || Files.isDirectory(one)) {
            return List.of(one);
        }
        List<Path> directories = new ArrayList<>();
        for (String name : text.split("\\+", -1)) {
            if (name.isEmpty()) {
                throw new IllegalArgumentException(
                        "'" + text + "': expected a directory, or several with + between, found an empty name");
            }
            directories.add(Path.of(name));
        }
        return directories;
    }

    /** The text for these directories, with absolute paths. */
    public static String describe(List<Path> directories) {
        return directories.stream()
                .map(directory -> directory.toAbsolutePath().normalize().toString())
                .collect(Collectors.joining("+"));
    }

    /**
     * A storage for each, in order.
     *
     * @throws LogException if one does not exist or cannot be used; it is named
     */
    public static List<Storage> open(List<Path> directories) throws IOException {
        List<Storage> storages = new ArrayList<>();
        for (Path directory : directories) {
            storages.add(LogOptions.ON_DISK.open(directory));
        }
        return storages;
    }
}
