package io.plog.log.file;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;

/**
 * Identifies a process that writes a log among all processes of this machine, including later ones with the same number. Reads {@code /proc}; where there is none, a process is known by its number and the time of its start.
 *
 * @param boot the machine's present life ({@code boot_id}), zero if unknown
 * @param pidNamespace the inode of the namespace in which {@code pid} counts, 0 if unknown
 * @param pid the process's number
 * @param start when it began, in clock ticks since the machine started; without {@code /proc}, in milliseconds since 1970
 */
public record ProcessIdentity(UUID boot, long pidNamespace, long pid, long start) {
    private static final Path PROC = Path.of("/proc");
    private static final UUID UNKNOWN_BOOT = new UUID(0, 0);

    /** The twenty-second field of {@code /proc/PID/stat} is the start time; this counts from behind the command's name. */
    private static final int START_FIELD = 19;

    private static final ProcessIdentity CURRENT = find();

    public static ProcessIdentity current() {
        return CURRENT;
    }

    private static ProcessIdentity find() {
        long pid = ProcessHandle.current().pid();
        return new ProcessIdentity(bootId(), pidNamespaceOfThis(), pid, startOf(pid));
    }

    /** Whether it is another process than this one, and certainly still there. */
    public boolean isAnotherAlive() {
        return !equals(CURRENT) && isComparable() && startOf(pid) == start && start != 0;
    }

    /** Whether its number means something to this process: same life of the same machine, same namespace. */
    boolean isComparable() {
        return boot.equals(CURRENT.boot) && pidNamespace == CURRENT.pidNamespace;
    }

    /** In words, for messages. */
    public String describe() {
        return "process " + pid
                + (isComparable()
                        ? ""
                        : boot.equals(CURRENT.boot)
                                ? " of another container"
                                : " of another machine, or from before this one was started");
    }

    /** When a process began; 0 if there is none, or none that may be looked at. */
    public static long startOf(long pid) {
        try {
            String stat = read(PROC.resolve(pid + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ", -1);
            return fields.length > START_FIELD ? Long.parseLong(fields[START_FIELD]) : 0;
        } catch (IOException | NumberFormatException noProc) {
            if (Files.exists(PROC.resolve("self/stat"))) {
                return 0;
            }
            return ProcessHandle.of(pid)
                    .flatMap(process -> process.info().startInstant())
                    .map(Instant::toEpochMilli)
                    .orElse(0L);
        }
    }

    private static UUID bootId() {
        try {
            return UUID.fromString(
                    read(PROC.resolve("sys/kernel/random/boot_id")).trim());
        } catch (IOException | IllegalArgumentException unknown) {
            return UNKNOWN_BOOT;
        }
    }

    private static long pidNamespaceOfThis() {
        try {
            String link = Files.readSymbolicLink(PROC.resolve("self/ns/pid")).toString(); // "pid:[4026531836]"
            return Long.parseLong(link.substring(link.indexOf('[') + 1, link.indexOf(']')));
        } catch (IOException | RuntimeException unknown) {
            return 0;
        }
    }

    /** A stream, and not a channel: a thread that was interrupted may read it. */
    private static String read(Path file) throws IOException {
        try (InputStream in = new FileInputStream(file.toFile())) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
