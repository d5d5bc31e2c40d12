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
    Path root;

    @Test
    void aGroupGetsAQuotaForEachPeriod() throws IOException {
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
    void whatAKilledStudyLeftIsTakenAwayAndThatOfALivingOneIsNot() throws IOException {
        Files.writeString(root.resolve("cgroup.controllers"), "cpu io");
        Files.writeString(root.resolve("cgroup.subtree_control"), "cpu");
        Path dead = Files.createDirectory(root.resolve("plog-study-999999999"));
        Path living = Files.createDirectory(
                root.resolve("plog-study-" + ProcessHandle.current().pid()));
        Path others = Files.createDirectory(root.resolve("system"));
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
