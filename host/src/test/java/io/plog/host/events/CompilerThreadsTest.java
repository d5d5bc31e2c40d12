package io.plog.host.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Threads of a process that runs nowhere but in a directory. */
final class CompilerThreadsTest {
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
        assertThat(new CompilerThreads(proc).nanos()).isEqualTo(430);
    }

    @Test
    void whatAThreadHasWorkedStaysWhenTheJvmEndsIt() throws IOException {
        thread(1, "C2 CompilerThre", 30);
        thread(2, "C2 CompilerThre", 400);
        CompilerThreads time = new CompilerThreads(proc);
        assertThat(time.nanos()).isEqualTo(430);
        Files.move(proc.resolve("self/task/2"), proc.resolve("gone"));
        thread(1, "C2 CompilerThre", 50);
        assertThat(time.nanos()).isEqualTo(450);
    }

    @Test
    void whereTheSystemDoesNotReportTheJvmDoes() {
        assertThat(new CompilerThreads(proc).nanos()).isGreaterThanOrEqualTo(1_000_000);
    }

    /** A program that has the name of such a thread. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void theCompilersOfAProcessMakeWayAndNoOtherThread() throws Exception {
        assertThat(policyBehind("C2 CompilerThre")).as("SCHED_IDLE").isEqualTo(5);
        assertThat(policyBehind("plog-measure")).as("SCHED_OTHER").isZero();
    }

    private int policyBehind(String name) throws IOException {
        Path program = Files.copy(Path.of("/bin/cat"), proc.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
        Process process = new ProcessBuilder(program.toString()).start();
        try {
            CompilerThreads.makeWay(List.of(process.toHandle()));
            String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
            return Integer.parseInt(stat.substring(stat.indexOf(')') + 2).split(" ", -1)[38]);
        } finally {
            process.destroyForcibly();
        }
    }
}
