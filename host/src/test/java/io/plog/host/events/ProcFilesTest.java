package io.plog.host.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcFilesTest {
    @TempDir
    private Path proc;

    @Test
    void theKernelsCountersAreRead() throws IOException {
        Files.writeString(
                proc.resolve("stat"), "cpu  100 20 30 1000 50 1 2 7 11 0\ncpu0 1 1 1 1 1 1 1 1 0 0\nintr 5 6\n");
        Files.writeString(proc.resolve("meminfo"), "MemTotal:  4 kB\nMemFree: 1 kB\nMemAvailable:   3 kB\n");
        Files.createDirectory(proc.resolve("self"));
        Files.writeString(proc.resolve("self/io"), "rchar: 1\nwrite_bytes: 4096\ncancelled_write_bytes: 9\n");
        Files.writeString(
                proc.resolve("diskstats"),
                "   8       0 sda 1 0 2 7 3 1 4 5 0 1 2\n   8       1 sda1 10 0 20 70 30 10 40 50 0 10 20 0 0 0 0 1 2\n");
        ProcFiles files = new ProcFiles(proc);
        assertThat(files.processors()).isEqualTo(new ProcFiles.Processors(1_210, 153, 7));
        assertThat(files.memoryBytes()).isEqualTo(4_096);
        assertThat(files.freeMemoryBytes()).isEqualTo(3_072);
        assertThat(files.ownWrittenBytes()).isEqualTo(4_096);
        assertThat(files.disks(List.of("8:1", "0:33"))).containsExactly(new Counters.Disk("sda1", 20 * 512, 40 * 512));
    }

    @Test
    void whatIsNotThereIsUnknown() {
        ProcFiles files = new ProcFiles(proc);
        assertThat(files.processors()).isEqualTo(new ProcFiles.Processors(-1, -1, -1));
        assertThat(files.memoryBytes()).isEqualTo(-1);
        assertThat(files.freeMemoryBytes()).isEqualTo(-1);
        assertThat(files.ownWrittenBytes()).isEqualTo(-1);
        assertThat(files.disks(List.of("8:1"))).isEmpty();
    }
}
