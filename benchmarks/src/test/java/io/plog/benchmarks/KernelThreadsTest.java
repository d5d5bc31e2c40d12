package io.plog.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelThreadsTest {
    @TempDir
    Path proc;

    private void thread(int number, int parent, int ticks) throws IOException {
        Path own = Files.createDirectories(proc.resolve(Integer.toString(number)));
        Files.writeString(
                own.resolve("stat"),
                number + " (kworker) I " + parent + " 0 0 0 -1 0 0 0 0 0 7 " + ticks + " 0 0 0 -20");
    }

    @Test
    void theTimeOfAThreadThatEndedIsKept() throws Exception {
        thread(10, 2, 100);
        thread(11, 2, 2_000);
        thread(12, 1, 9_000); // not the kernel's
        KernelThreads threads = new KernelThreads(proc);
        assertThat(threads.read()).isEqualTo(2_114);
        Files.delete(proc.resolve("11/stat"));
        Files.delete(proc.resolve("11"));
        thread(10, 2, 103);
        assertThat(threads.read()).isEqualTo(2_117);
        thread(10, 2, 1); // another one with its number
        assertThat(threads.read()).isEqualTo(2_125);
    }
}
