package io.plog.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What this process has used so far.
 *
 * @param cpuNanos processor time of all threads that live, user and system; from the scheduler, whose resolution is better
 *     than the 10 ms of {@code OperatingSystemMXBean}
 * @param allocatedBytes what all Java threads that live have allocated
 */
record ProcessCounters(long cpuNanos, long allocatedBytes) {
    static ProcessCounters read() throws IOException {
        return new ProcessCounters(cpuNanosOfThreads(), allocatedBytesOfThreads());
    }

    private static long cpuNanosOfThreads() throws IOException {
        long sum = 0;
        List<Path> threads;
        try (Stream<Path> found = Files.list(Path.of("/proc/self/task"))) {
            threads = found.toList();
        }
        for (Path thread : threads) {
            try {
                String text = Files.readString(thread.resolve("schedstat"));
                sum += Long.parseLong(text.substring(0, text.indexOf(' ')));
            } catch (NoSuchFileException e) {
                // The thread has ended since the list was made: it is not counted.
            }
        }
        return sum;
    }

    private static long allocatedBytesOfThreads() {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
            sum += Math.max(0, bytes); // -1: the thread has ended
        }
        return sum;
    }
}
