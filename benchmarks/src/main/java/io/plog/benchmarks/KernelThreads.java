package io.plog.benchmarks;

import io.plog.benchmarks.result.MachineTime;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The kernel's own threads. While something is measured they mostly serve the disk for it. For any thread. */
final class KernelThreads {
    private static final KernelThreads ALL = new KernelThreads(Path.of("/proc"));

    private final Path proc;
    private Map<Path, Long> living = new HashMap<>(); // the ticks of each, when they were last read; guarded by this
    private long ended; // ticks of those that are gone; guarded by this

    KernelThreads(Path proc) {
        this.proc = proc;
    }

    /** Their processor time, in ticks. Never decreases, though such threads come and go. */
    static long ticks() throws IOException {
        return ALL.read();
    }

    synchronized long read() throws IOException {
        Map<Path, Long> now = new HashMap<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : processes) {
                String stat;
                try {
                    stat = Files.readString(process.resolve("stat"));
                } catch (IOException e) {
                    continue; // it has ended since the list was made
                }
                now.put(process, MachineTime.kernelTicks(stat));
            }
        }
        living.forEach((process, before) -> {
            if (now.getOrDefault(process, 0L) < before) { // gone, or another one has its number
                ended += before;
            }
        });
        living = now;
        return ended + now.values().stream().mapToLong(Long::longValue).sum();
    }
}
