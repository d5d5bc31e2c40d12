package io.plog.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Makes, empties and deletes directories, and has the file system write out what it holds back. */
final class Directories {
    private Directories() {}

    /** An empty directory in this place; what was there is deleted. */
    static Path recreate(Path directory) throws IOException {
        delete(directory);
        return Files.createDirectories(directory);
    }

    /** Deletes a directory with all that is in it, if it is there. */
    static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** Has the file system of a directory write out everything (sync -f), so that no one pays for it later. */
    static void sync(Path directory) throws IOException, InterruptedException {
        new ProcessBuilder("sync", "-f", directory.toString())
                .inheritIO()
                .start()
                .waitFor();
    }
}
