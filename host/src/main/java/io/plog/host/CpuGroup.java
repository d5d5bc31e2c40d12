package io.plog.host;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A control group of the kernel whose processes get so much processor time together, and no more: {@code cpu.max} of version 2. It takes the rights of root, and a kernel and container that let control groups be made.
 *
 * <p>Closing removes it; its processes must have ended. Used by one thread.
 */
public final class CpuGroup implements Closeable {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final String PREFIX = "plog-study-";

    /** Quotas hold for stretches of this length; the kernel's own default. */
    private static final long PERIOD_MICROS = 100_000;

    private static final int REMOVALS = 50;
    private static final long BETWEEN_REMOVALS_MILLIS = 20;

    private final Path group;

    private CpuGroup(Path group) {
        this.group = group;
    }

    /**
     * Makes a group.
     *
     * @param processors how many processors' worth of time it may use, at least 0.01
     * @throws IOException if that is not possible here; the message says what is missing
     */
    public static CpuGroup make(double processors) throws IOException {
        return make(ROOT, processors, ProcessHandle.current().pid());
    }

    /** As {@link #make(double)}, below another root, for a process with this number. */
    static CpuGroup make(Path root, double processors, long pid) throws IOException {
        long quota = Math.max(1_000, Math.round(processors * PERIOD_MICROS));
        try {
            if (Files.exists(root.resolve("cgroup.controllers"))) {
                return limited(root, quota, pid);
            }
        } catch (IOException e) {
            throw new IOException(
                    "--processors limits each server by a control group, which cannot be made here ("
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse("") + " could not be written):"
                            + " run it as root, on the machine itself or in a container that may change " + root
                            + ", or measure on several machines and lay their studies side by side with plog report --merge",
                    e);
        }
        throw new IOException(
                "--processors limits each server by a control group, and there is none with a processor"
                        + " controller under " + root + ": it takes Linux with cgroup version 2"
                        + " (cpu.max); or measure on several machines and lay their studies side by side with plog report --merge");
    }

    private static CpuGroup limited(Path root, long quota, long pid) throws IOException {
        Path switches = root.resolve("cgroup.subtree_control");
        if (!Files.readString(switches).contains("cpu")) {
            write(switches, "+cpu");
        }
        Path group = fresh(root, pid);
        try {
            write(group.resolve("cpu.max"), quota + " " + PERIOD_MICROS);
            return new CpuGroup(group);
        } catch (IOException e) {
            Files.deleteIfExists(group);
            throw e;
        }
    }

    /** Takes away what a study left that was killed: a group is empty once its processes have ended. */
    private static Path fresh(Path root, long pid) throws IOException {
        List<Path> left;
        try (Stream<Path> groups = Files.list(root)) {
            left = groups.filter(group -> String.valueOf(group.getFileName()).startsWith(PREFIX))
                    .toList();
        }
        for (Path group : left) {
            String owner = String.valueOf(group.getFileName()).substring(PREFIX.length());
            if (!owner.matches("\\d{1,18}")
                    || ProcessHandle.of(Long.parseLong(owner)).isEmpty()) {
                try {
                    Files.delete(group);
                } catch (IOException e) {
                    // Not empty: somebody else's after all.
                }
            }
        }
        return Files.createDirectory(root.resolve(PREFIX + pid));
    }

    private static void write(Path file, String text) throws IOException {
        Files.write(file, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Moves a process into it, with all its threads. */
    public void add(long pid) throws IOException {
        write(group.resolve("cgroup.procs"), Long.toString(pid));
    }

    /** Removes it. The kernel takes a moment to forget processes that have ended. */
    @Override
    public void close() throws IOException {
        for (int i = 0; ; i++) {
            try {
                Files.deleteIfExists(group);
                return;
            } catch (IOException e) {
                if (i == REMOVALS) {
                    throw e;
                }
                try {
                    Thread.sleep(BETWEEN_REMOVALS_MILLIS);
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    throw e;
                }
            }
        }
    }
}
