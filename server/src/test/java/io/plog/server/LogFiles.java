package io.plog.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Log directories as tests handle them. */
final class LogFiles {
    private LogFiles() {}

    /** Copies the files of a log that a server has open: what a killed process would leave behind. */
    static Path copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        List<Path> files;
        try (Stream<Path> listed = Files.list(from)) {
            files = listed.toList();
        }
        for (Path file : files) {
            if (!file.getFileName().toString().endsWith(".tmp")) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
        return to;
    }
}
