package io.plog.host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether this system runs in a container or in a virtual machine, as far as it can see from inside. In both, somebody
 * else decides what lies beneath a directory.
 */
final class Virtualization {
    /** Words in the names of control groups that container runtimes make. */
    private static final List<String> RUNTIMES =
            List.of("kubepods", "docker", "libpod", "containerd", "lxc", "garden", "buildkit");

    private final Path root;

    private Virtualization(Path root) {
        this.root = root;
    }

    static Map<String, String> facts() {
        return facts(Path.of("/"));
    }

    /** Looks for {@code proc} and {@code sys} below this root. */
    static Map<String, String> facts(Path root) {
        Virtualization surroundings = new Virtualization(root);
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("container", surroundings.container());
        facts.put("virtualMachine", surroundings.virtualMachine());
        return facts;
    }

    /** The kind of container; "no" if nothing speaks for one, which does not exclude it. */
    private String container() {
        String container = read("run/systemd/container");
        if (!container.isEmpty()) {
            return container;
        }
        if (Files.exists(root.resolve(".dockerenv"))) {
            return "docker";
        }
        if (Files.exists(root.resolve("run/.containerenv"))) {
            return "podman";
        }
        String groups = read("proc/self/cgroup");
        return RUNTIMES.stream().filter(groups::contains).findFirst().orElse("no");
    }

    /** The processor says whether there is a hypervisor; the firmware often says which. */
    private String virtualMachine() {
        String cpu = read("proc/cpuinfo");
        if (cpu.isEmpty()) {
            return "unknown";
        }
        String maker = read("sys/class/dmi/id/sys_vendor");
        String product = read("sys/class/dmi/id/product_name");
        boolean hypervisor =
                cpu.lines().anyMatch(line -> line.startsWith("flags") && (line + " ").contains(" hypervisor "));
        String name = (maker + " " + product).strip();
        return !hypervisor ? "no" : name.isEmpty() ? "yes" : "yes, " + name;
    }

    private String read(String file) {
        return LinuxFiles.read(root.resolve(file), "").strip();
    }
}
