package io.plog.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On directories that look like the kernel's; those of the kernel itself take root. */
final class CpuGroupTest {
    private static final long PID = 4711;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path root;

    @Test
    void version2GetsAQuotaForEachPeriod() throws IOException {
        Files.writeString(root.resolve("cgroup.controllers"), "cpu io");
        Files.writeString(root.resolve("cgroup.subtree_control"), "io");
        CpuGroup group = CpuGroup.make(root, 0.5, PID);
        Path own = root.resolve("plog-study-" + PID);
        assertThat(own.resolve("cpu.max")).hasContent("50000 100000");
        assertThat(root.resolve("cgroup.subtree_control")).hasContent("+cpu");
        group.add(17);
        assertThat(own.resolve("cgroup.procs")).hasContent("17");
    }

    @Test
    void version1GetsTheSame() throws IOException {
        Path cpu = Files.createDirectory(root.resolve("cpu"));
        CpuGroup.make(root, 2, PID).add(17);
        Path own = cpu.resolve("plog-study-" + PID);
        assertThat(own.resolve("cpu.cfs_quota_us")).hasContent("200000");
        assertThat(own.resolve("cpu.cfs_period_us")).hasContent("100000");
    }

    @Test
    void whatAKilledStudyLeftIsTakenAwayAndThatOfALivingOneIsNot() throws IOException {
        Path cpu = Files.createDirectory(root.resolve("cpu"));
        Path dead = Files.createDirectory(cpu.resolve("plog-study-999999999"));
        Path living = Files.createDirectory(
                cpu.resolve("plog-study-" + ProcessHandle.current().pid()));
        Path others = Files.createDirectory(cpu.resolve("system"));
        CpuGroup.make(root, 1, PID);
        assertThat(dead).doesNotExist();
        assertThat(living).exists();
        assertThat(others).exists();
    }

    @Test
    void whereThereAreNoneASentenceSaysSo() {
        assertThatThrownBy(() -> CpuGroup.make(root, 1, PID))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("--processors limits each server by a control group, and there is none")
                .hasMessageContaining("--merge");
    }

    @Test
    void whereTheyCannotBeMadeASentenceSaysWhatToDo() throws IOException {
        Files.writeString(root.resolve("cgroup.controllers"), "cpu");
        assertThatThrownBy(() -> CpuGroup.make(root, 1, PID))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cgroup.subtree_control could not be written")
                .hasMessageContaining("run it as root");
    }
}
