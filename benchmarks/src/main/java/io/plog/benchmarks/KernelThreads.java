package io.plog.benchmarks;

import io.plog.benchmarks.result.MachineTime;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The kernel's own threads. While something is measured they mostly serve the disk for it. */
final class KernelThreads {
    private KernelThreads() {}

    /** The processor time of all that live, in ticks. */
    static long ticks() throws IOException {
        long sum = 0;
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                String stat;
                try {
                    stat = Files.readString(process.resolve("stat"));
                } catch (IOException e) {
                    continue; // it has ended since the list was made
                }
                sum += MachineTime.kernelTicks(stat);
            }
        }
        return sum;
    }
}
