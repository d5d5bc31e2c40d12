package io.plog.host;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** What Linux tells in {@code /proc} and {@code /sys}. */
final class LinuxFactSource implements FactSource {
    private static final int MAX_OPTIONS = 400;
    private static final int BOOT_CHARACTERS = 8;

    private final String mountInfo;
    private final Path sysRoot;

    LinuxFactSource() {
        this(LinuxFiles.read(Path.of("/proc/self/mountinfo"), ""), Path.of("/sys"));
    }

    /** With the text of mountinfo, and a tree like {@code /sys} for devices. */
    LinuxFactSource(String mountInfo, Path sysRoot) {
        this.mountInfo = mountInfo;
        this.sysRoot = sysRoot;
    }

    @Override
    public Map<String, String> machine() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("boot", boot(LinuxFiles.fact(Path.of("/proc/sys/kernel/random/boot_id"))));
        facts.put("host", LinuxFiles.fact(Path.of("/proc/sys/kernel/hostname")));
        facts.put("cpu", cpuModel(LinuxFiles.read(Path.of("/proc/cpuinfo"), "")));
        facts.put("memory", memory(LinuxFiles.read(Path.of("/proc/meminfo"), "")));
        facts.put("cpuGovernor", LinuxFiles.fact(Path.of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")));
        facts.put("cgroupCpu", MachineFacts.cpuLimit());
        facts.put("cgroupMemory", MachineFacts.limitOf(LinuxFiles.fact(Path.of("/sys/fs/cgroup/memory.max"))));
        return facts;
    }

    @Override
    public Map<String, String> directory(Path real) {
        Map<String, String> facts = new LinkedHashMap<>();
        MountInfo mount = MountInfo.of(real, MountInfo.parse(mountInfo));
        if (mount != null) {
            facts.put("fileSystem", mount.type());
            facts.put("mountPoint", mount.mountPoint());
            facts.put("mountOptions", cut(mount.allOptions()));
            facts.put("source", mount.source());
            facts.put("readOnly", mount.isReadOnly() ? "yes" : "no");
            BlockDevice device = BlockDevice.of(mount.device(), sysRoot);
            if (device != null) {
                facts.putAll(device.facts());
            }
        }
        facts.putAll(Virtualization.facts());
        return facts;
    }

    /** Containers of one machine have one kernel, and so the same; a part of it is enough to tell machines apart. */
    private static String boot(String id) {
        return id.length() > BOOT_CHARACTERS ? id.substring(0, BOOT_CHARACTERS) : LinuxFiles.UNKNOWN;
    }

    /** The first model name in the text of {@code /proc/cpuinfo}. */
    static String cpuModel(String cpuInfo) {
        return LinuxFiles.value(cpuInfo, "model name");
    }

    /** The total in the text of {@code /proc/meminfo}. */
    static String memory(String memInfo) {
        return LinuxFiles.value(memInfo, "MemTotal");
    }

    /** An overlay's options name all its layers; facts must fit into a WELCOME. */
    private static String cut(String options) {
        return options.length() <= MAX_OPTIONS ? options : options.substring(0, MAX_OPTIONS) + "...";
    }
}
