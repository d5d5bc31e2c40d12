package io.plog.e2e.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** File systems in files, mounted by {@code tools/kill-matrix}, that a test may break. Needs root. */
public final class Mounts {
    private Mounts() {}

    /** Ends a file system at once, as when its device fails: from now on everything but reading from memory is an I/O error. */
    public static void shutDown(Path mount) throws IOException {
        SystemCommand.run("xfs_io", "-x", "-c", "shutdown", mount.toString());
    }

    /** Takes a file system away, with what it keeps in memory, and brings it back as it is on its device. */
    public static void again(Path mount) throws IOException {
        Path image = imageOf(mount);
        SystemCommand.run("umount", mount.toString());
        SystemCommand.run("mount", "-o", "loop", image.toString(), mount.toString());
    }

    /** The file behind the loop device that is mounted there. */
    private static Path imageOf(Path mount) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/mounts"))) {
            List<String> words = List.of(line.split(" ", -1));
            if (words.get(1).equals(mount.toString())) {
                Path device = Path.of(words.get(0)).getFileName();
                return Path.of(Files.readString(Path.of("/sys/block/" + device + "/loop/backing_file"))
                        .strip());
            }
        }
        throw new AssertionError("nothing is mounted on " + mount);
    }

    /** Takes all the space that is left, with a file. */
    public static void fill(Path file) throws IOException {
        byte[] chunk = new byte[64 * 1024];
        try (OutputStream out = Files.newOutputStream(file)) {
            while (true) {
                out.write(chunk);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
    }
}
