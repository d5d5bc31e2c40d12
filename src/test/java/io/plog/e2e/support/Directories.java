package io.plog.e2e.support;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What stands in a directory, itself without directories. */
public final class Directories {
    private Directories() {}

    /** In the order of their names. */
    public static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }

    public static List<String> names(Path directory) throws IOException {
        return files(directory).stream()
                .map(file -> file.getFileName().toString())
                .toList();
    }

    /** Copies its files to a directory, which is made if it is not there. */
    public static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        for (Path file : files(from)) {
            // What a log prepares gets its name while we copy, or does not.
            if (!file.toString().endsWith(".tmp")) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    public static void delete(Path directory) throws IOException {
        for (Path file : files(directory)) {
            Files.delete(file);
        }
        Files.delete(directory);
    }

    /** All that belongs to a log in these directories: the lock says who had it last, and does not. */
    public static Map<Path, ByteBuffer> contents(List<Path> log) throws IOException {
        Map<Path, ByteBuffer> contents = new HashMap<>();
        for (Path directory : log) {
            for (Path file : files(directory)) {
                if (!file.endsWith("log.lock")) {
                    contents.put(file, ByteBuffer.wrap(Files.readAllBytes(file)));
                }
            }
        }
        return contents;
    }
}
