package io.plog.report.figure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

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
     * @param directory created if it is missing
     * @param force whether files of the same names are replaced
     * @return how many files were written
     * @throws InTheWayException if a file of the same name is there and {@code force} is not set
     * @throws IOException if a file can't be written
     */
    public static int write(List<Figure> figures, Path directory, boolean force) throws IOException {
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new InTheWayException("--figures " + directory + " is a file, expected a directory");
        }
        for (Figure figure : figures) {
            for (String name : List.of(figure.name() + ".svg", figure.name() + ".csv")) {
                if (!force && Files.exists(directory.resolve(name))) {
                    throw new InTheWayException("--figures " + directory + " holds " + name
                            + " already; name another directory, or replace the figures with --overwrite");
                }
            }
        }
        Files.createDirectories(directory);
        for (Figure figure : figures) {
            replace(directory.resolve(figure.name() + ".svg"), figure.svg());
            replace(directory.resolve(figure.name() + ".csv"), figure.table().csv());
        }
        return 2 * figures.size();
    }

    private static void replace(Path file, String text) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        Files.writeString(temporary, text, StandardCharsets.UTF_8);
        Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
    }
}
