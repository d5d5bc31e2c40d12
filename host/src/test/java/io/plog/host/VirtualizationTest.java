package io.plog.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can be seen from inside, from small trees like a system's root. */
class VirtualizationTest {
    @TempDir
    Path root;

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(Objects.requireNonNull(path.getParent()));
        Files.writeString(path, text);
    }

    private String container() {
        return Objects.requireNonNull(Virtualization.facts(root).get("container"));
    }

    private String virtualMachine() {
        return Objects.requireNonNull(Virtualization.facts(root).get("virtualMachine"));
    }

    @Test
    void aSystemThatShowsNothingIsInNoContainerAndItsMachineIsUnknown() {
        assertThat(container()).isEqualTo("no");
        assertThat(virtualMachine()).isEqualTo("unknown");
    }

    @Test
    void theMarksOfContainerRuntimesAreKnown() throws IOException {
        write("proc/self/cgroup", "12:memory:/user.slice\n0::/\n");
        assertThat(container()).isEqualTo("no");
        write("proc/self/cgroup", "0::/kubepods.slice/kubepods-burstable.slice/x\n");
        assertThat(container()).isEqualTo("kubepods");
        write("run/.containerenv", "");
        assertThat(container()).isEqualTo("podman");
        write(".dockerenv", "");
        assertThat(container()).isEqualTo("docker");
        write("run/systemd/container", "systemd-nspawn\n");
        assertThat(container()).isEqualTo("systemd-nspawn");
    }

    @Test
    void theProcessorRevealsAHypervisorAndTheFirmwareWhichOne() throws IOException {
        write("proc/cpuinfo", "model name : x\nflags : fpu vme hypervisors_cousin\n");
        assertThat(virtualMachine()).isEqualTo("no");
        write("proc/cpuinfo", "model name : x\nflags : fpu vme hypervisor\n");
        assertThat(virtualMachine()).isEqualTo("yes");
        write("sys/class/dmi/id/sys_vendor", "QEMU\n");
        write("sys/class/dmi/id/product_name", "Standard PC\n");
        assertThat(virtualMachine()).isEqualTo("yes, QEMU Standard PC");
    }
}
