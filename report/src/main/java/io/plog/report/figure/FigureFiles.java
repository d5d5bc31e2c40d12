package io.plog.report.figure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes figures as files: {@code NAME.svg} and, with what it draws, {@code NAME.csv}. Stateless. */
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
     * Writes all figures, or none if one is in the way.
     *
     * @return how many files were written
     * @throws InTheWayException as {@link #check}
     * @throws IOException if a file can't be written
     */
    public static int write(List<Figure> figures, Path directory, boolean force) throws IOException {
        Map<String, String> files = new LinkedHashMap<>();
        for (Figure figure : figures) {
            files.put(figure.name() + ".svg", figure.svg());
            files.put(figure.name() + ".csv", figure.table().csv());
        }
        check(files.keySet(), directory, force);
        write(files, directory);
        return files.size();
    }

    /**
     * Looks whether files may be written.
     *
     * @param names of the files
     * @param force whether files of the same names are replaced
     * @throws InTheWayException if a file of the same name is there and {@code force} is not set, or the directory is a file
     */
    public static void check(Set<String> names, Path directory, boolean force) throws InTheWayException {
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
    public static void write(Map<String, String> files, Path directory) throws IOException {
        Files.createDirectories(directory);
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = directory.resolve(file.getKey());
            Path temporary = path.resolveSibling(file.getKey() + ".tmp");
            Files.writeString(temporary, file.getValue(), StandardCharsets.UTF_8);
            Files.move(temporary, path, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
