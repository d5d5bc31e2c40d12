package io.plog.host.events;

import io.plog.host.LinuxFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What Linux tells in {@code /proc} about this process and its machine. -1 stands for what it does not tell. */
final class ProcFiles {
    /** Of the kernel's time accounting towards programs, on every architecture. */
    static final long TICK_NANOS = 10_000_000;

    static final long UNKNOWN = -1;

    /** The first line of stat has ten numbers of at most 20 digits. */
    private static final int BEGINNING_BYTES = 256;

    private static final long SECTOR_BYTES = 512; // of /proc/diskstats, whatever the device's sectors are

    private final Path root;

    /** @param root {@code /proc}, or a tree like it */
    ProcFiles(Path root) {
        this.root = root;
    }

    /** Time of all processors together. */
    record Processors(long ticks, long busyTicks, long stealTicks) {}

    /**
     * The first line of {@code stat}: user, nice, system, idle, iowait, irq, softirq, steal (and guest, which is in user).
     */
    Processors processors() {
        String[] words = beginning("stat").split("\\s+", -1);
        if (words.length < 10 || !words[0].equals("cpu")) {
            return new Processors(UNKNOWN, UNKNOWN, UNKNOWN);
        }
        long all = 0;
        for (int i = 1; i <= 8; i++) {
            all += number(words[i]);
        }
        long steal = number(words[8]);
        return new Processors(all, all - number(words[4]) - number(words[5]) - steal, steal);
    }

    /** Processor time of this process; the JDK knows where else to look on other systems. */
    static long ownCpuNanos() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(Duration::toNanos)
                .orElse(UNKNOWN);
    }

    long freeMemoryBytes() {
        return kibibytes("MemAvailable:");
    }

    long memoryBytes() {
        return kibibytes("MemTotal:");
    }

    private long kibibytes(String name) {
        String[] words = firstWords("meminfo", name);
        return words.length < 2 ? UNKNOWN : number(words[1]) * 1024;
    }

    /** What this process caused to be written to any device. */
    long ownWrittenBytes() {
        String[] words = firstWords("self/io", "write_bytes:");
        return words.length < 2 ? UNKNOWN : number(words[1]);
    }

    /** What the devices, such as {@code 8:1}, moved; one that the kernel does not count for (of a network, say) is left out. */
    List<Counters.Disk> disks(List<String> devices) {
        List<Counters.Disk> disks = new ArrayList<>();
        if (devices.isEmpty()) {
            return disks;
        }
        for (String line : lines("diskstats")) {
            String[] words = line.strip().split("\\s+", -1);
            for (String device : devices) {
                if (words.length > 9 && device.equals(words[0] + ":" + words[1])) {
                    disks.add(new Counters.Disk(
                            words[2], number(words[5]) * SECTOR_BYTES, number(words[9]) * SECTOR_BYTES));
                }
            }
        }
        return disks;
    }

    /** Only what is needed: the file is long, and looked at four times a second. */
    private String beginning(String file) {
        try (InputStream in = Files.newInputStream(root.resolve(file))) {
            return new String(in.readNBytes(BEGINNING_BYTES), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return "";
        }
    }

    private String[] firstWords(String file, String start) {
        for (String line : lines(file)) {
            if (line.startsWith(start)) {
                return line.strip().split("\\s+", -1);
            }
        }
        return new String[0];
    }

    private List<String> lines(String file) {
        return LinuxFiles.lines(root.resolve(file));
    }

    private static long number(String word) {
        try {
            return Long.parseLong(word);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
