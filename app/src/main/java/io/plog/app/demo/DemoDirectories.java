package io.plog.app.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Where the logs of a demo go. Stateless. */
final class DemoDirectories {
    private DemoDirectories() {}

    /** A new directory on each disk; all are checked before the first is made. */
    static List<Path> create(Path results, List<DemoDisk> disks) throws IOException {
        if (disks.isEmpty()) {
            return List.of(Files.createDirectories(results.resolve("log")));
        }
        List<Path> checked = new ArrayList<>();
        for (DemoDisk disk : disks) {
            checked.add(disk.directory(results));
        }
        if (checked.stream().distinct().count() < checked.size()) {
            throw new IllegalArgumentException("--log-dir names the same directory twice: "
                    + checked.stream().map(Path::toString).collect(Collectors.joining(", ")));
        }
        List<Path> made = new ArrayList<>();
        for (int i = 0; i < disks.size(); i++) {
            made.add(
                    disks.get(i).isWithResults()
                            ? Files.createDirectories(checked.get(i))
                            : Files.createTempDirectory(checked.get(i), "plog-demo-"));
        }
        return made;
    }

    /** The nearest directory that exists: it is on the disk that would be measured. */
    static Path existing(Path directory) {
        Path at = directory.toAbsolutePath().normalize();
        while (!Files.isDirectory(at)) {
            at = Objects.requireNonNull(at.getParent(), "the root is a directory");
        }
        return at;
    }

    /**
     * Checks that the logs have room.
     *
     * @throws IOException if one has not
     */
    static void checkSpace(List<Path> disks, DemoPlan plan) throws IOException {
        for (Path disk : disks) {
            long free = disk.toFile().getUsableSpace();
            if (free < plan.spaceBytes()) {
                throw new IOException("the logs need " + mebibytes(plan.spaceBytes()) + " MiB, but " + disk.getParent()
                        + " has " + mebibytes(free)
                        + " free; name another place with --log-dir, or fewer --iterations");
            }
        }
    }

    private static long mebibytes(long bytes) {
        return bytes >> 20;
    }
}
