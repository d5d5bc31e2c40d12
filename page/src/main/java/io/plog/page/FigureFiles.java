package io.plog.page;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Set;

/** Writes the files of a page and of its figures. Stateless. */
public final class FigureFiles {
    private FigureFiles() {}

    /** Thrown if a file exists already. The message names the first one and says what to do. */
    public static final class InTheWayException extends IOException {
        private static final long serialVersionUID = 1;

        InTheWayException(String message) {
            super(message);
        }
    }

    /**
     * Looks whether files may be written.
     *
     * @param names of the files
     * @param force whether files of the same names are replaced
     * @throws InTheWayException if a file of the same name is there and {@code force} is not set, or the directory is a file
     */
    static void check(Set<String> names, Path directory, boolean force) throws InTheWayException {
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new InTheWayException("--figures " + directory + " is a file, expected a directory");
        }
        for (String name : names) {
            if (!force && Files.exists(directory.resolve(name))) {
                throw new InTheWayException("--figures " + directory + " holds " + name
                        + " already; name another directory, or replace the figures with --overwrite");
            }
        }
    }

    /**
     * Writes files, each in one step.
     *
     * @param files their texts by their names
     * @param directory created if it is missing
     * @throws IOException if one can't be written
     */
    static void write(Map<String, String> files, Path directory) throws IOException {
        Files.createDirectories(directory);
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = directory.resolve(file.getKey());
            Path temporary = path.resolveSibling(file.getKey() + ".tmp");
            Files.writeString(temporary, file.getValue(), StandardCharsets.UTF_8);
            Files.move(temporary, path, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
