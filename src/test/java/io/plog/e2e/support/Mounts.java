package io.plog.e2e.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** File systems in files, mounted by {@code tools/kill-matrix}, that a test may break. Needs root. */
public final class Mounts {
    private Mounts() {}

    /** Ends a file system at once, as when its device fails: from now on everything but reading from memory is an I/O error. */
    public static void shutDown(Path mount) throws IOException, InterruptedException {
        run("xfs_io", "-x", "-c", "shutdown", mount.toString());
    }

    /** Takes a file system away, with what it keeps in memory, and brings it back as it is on its device. */
    public static void again(Path mount) throws IOException, InterruptedException {
        Path image = imageOf(mount);
        run("umount", mount.toString());
        run("mount", "-o", "loop", image.toString(), mount.toString());
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

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as("%s: %s", List.of(command), output).isZero();
    }
}
