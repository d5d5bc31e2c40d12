package io.plog.host.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Threads of a process that runs nowhere but in a directory. */
final class CompilerTimeTest {
    @TempDir
    private Path proc;

    private void thread(int id, String name, long nanos) throws IOException {
        Path thread = Files.createDirectories(proc.resolve("self/task/" + id));
        Files.writeString(thread.resolve("comm"), name + "\n");
        Files.writeString(thread.resolve("schedstat"), nanos + " 999 7\n");
    }

    @Test
    void itIsTheTimeOfBothCompilersAndOfNoOtherThread() throws IOException {
        thread(1, "C1 CompilerThre", 30);
        thread(2, "C2 CompilerThre", 400);
        thread(3, "plog-measure", 5_000);
        assertThat(new CompilerTime(proc).nanos()).isEqualTo(430);
    }

    @Test
    void whatAThreadHasWorkedStaysWhenTheJvmEndsIt() throws IOException {
        thread(1, "C2 CompilerThre", 30);
        thread(2, "C2 CompilerThre", 400);
        CompilerTime time = new CompilerTime(proc);
        assertThat(time.nanos()).isEqualTo(430);
        Files.move(proc.resolve("self/task/2"), proc.resolve("gone"));
        thread(1, "C2 CompilerThre", 50);
        assertThat(time.nanos()).isEqualTo(450);
    }

    @Test
    void whereTheSystemDoesNotReportTheJvmDoes() {
        assertThat(new CompilerTime(proc).nanos()).isGreaterThanOrEqualTo(1_000_000);
    }
}
