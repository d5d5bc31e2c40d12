package io.plog.benchmarks;

import io.plog.benchmarks.result.Environment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;

/** Finds out where this runs. What cannot be found out is {@code unknown}. */
final class EnvironmentReader {
    private static final String UNKNOWN = "unknown";
    private static final List<String> PEERS = List.of(
            "artemis-journal",
            "activemq-artemis-native",
            "bookkeeper-server",
            "zookeeper-3",
            "rocksdbjni",
            "chronicle-queue");

    private EnvironmentReader() {}

    static Environment read(Path directory) throws IOException, InterruptedException {
        return new Environment(
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                commit(),
                cpu(),
                memory(),
                System.getProperty("os.version"),
                fileSystem(directory),
                device(directory),
                System.getProperty("java.vendor") + " " + System.getProperty("java.runtime.version"),
                String.join(" ", measuringFlags()),
                Fio.version().orElse(UNKNOWN),
                libraries());
    }

    /** The flags of the JVM that can change what is measured: not those that only let Chronicle Queue in. */
    private static List<String> measuringFlags() {
        return JvmCommand.flags().stream()
                .filter(flag -> flag.startsWith("-X") || flag.startsWith("-Dbenchmarks."))
                .filter(flag -> !flag.startsWith("-Dbenchmarks.root"))
                .toList();
    }

    private static String commit() throws InterruptedException {
        String root = System.getProperty("benchmarks.root", ".");
        String commit = outputOf("git", "-C", root, "rev-parse", "--short=12", "HEAD");
        String changes = outputOf("git", "-C", root, "status", "--porcelain", "--untracked-files=no");
        return commit + (changes.isEmpty() || commit.equals(UNKNOWN) ? "" : "+");
    }

    private static String outputOf(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor() == 0 ? text : UNKNOWN;
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    private static String cpu() {
        int processors = Runtime.getRuntime().availableProcessors();
        return valueOf(Path.of("/proc/cpuinfo"), "model name") + ", " + processors + " processors";
    }

    private static String memory() {
        String kib = valueOf(Path.of("/proc/meminfo"), "MemTotal").replace(" kB", "");
        return kib.equals(UNKNOWN) ? UNKNOWN : Math.round(Long.parseLong(kib) / 1048576.0) + " GiB";
    }

    /** The value of the first line {@code key : value}. */
    private static String valueOf(Path file, String key) {
        try {
            return Files.readString(file)
                    .lines()
                    .filter(line -> line.startsWith(key))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(UNKNOWN);
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    /** The mount whose place is the longest beginning of the directory's path. */
    private static String fileSystem(Path directory) throws IOException {
        Path real = directory.toRealPath();
        String found = UNKNOWN;
        int longest = -1;
        for (String line : readOr(Path.of("/proc/mounts"), "").lines().toList()) {
            String[] fields = line.split(" ", -1);
            if (fields.length > 3 && real.startsWith(fields[1]) && fields[1].length() >= longest) {
                longest = fields[1].length();
                found = fields[2] + " (" + fields[3] + ")";
            }
        }
        return found;
    }

    private static String device(Path directory) throws IOException {
        String name = MeasuredDevice.of(directory).name().orElse(UNKNOWN);
        Path queue = Path.of("/sys/block", name, "queue");
        return name + ", cache " + readOr(queue.resolve("write_cache"), UNKNOWN) + ", FUA "
                + readOr(queue.resolve("fua"), UNKNOWN) + ", rotational "
                + readOr(queue.resolve("rotational"), UNKNOWN);
    }

    private static String readOr(Path file, String otherwise) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return otherwise;
        }
    }

    private static List<String> libraries() {
        return Arrays.stream(System.getProperty("java.class.path").split(System.getProperty("path.separator"), -1))
                .map(entry -> Path.of(entry).getFileName())
                .map(String::valueOf)
                .filter(name -> PEERS.stream().anyMatch(name::startsWith))
                .sorted()
                .toList();
    }
}
