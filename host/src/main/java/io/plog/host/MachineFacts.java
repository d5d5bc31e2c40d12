package io.plog.host;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Facts about this machine and this JVM, by name: the same names for a server and for a client that measures, so that a
 * reader can judge figures and repeat them. What the system does not tell is left out. Stateless.
 */
public final class MachineFacts {
    /** Keeps the facts of a server within what its greeting can hold. */
    private static final int MOST_CHARACTERS = 2_000;

    private static final int BOOT_CHARACTERS = 8;

    /** No machine has an exbibyte; what the kernel says for "no limit" depends on its page size. */
    private static final long UNLIMITED_BYTES = 1L << 60;

    static final String NO_LIMIT = "no limit";

    private MachineFacts() {}

    /** Looks at this process and this machine; takes a few milliseconds. The map is the caller's. */
    public static Map<String, String> collect() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("plog", version());
        facts.put("os", property("os.name") + " " + property("os.version"));
        facts.put("arch", property("os.arch"));
        facts.put("boot", boot(LinuxFiles.fact(Path.of("/proc/sys/kernel/random/boot_id"))));
        facts.put("host", LinuxFiles.fact(Path.of("/proc/sys/kernel/hostname")));
        facts.put("cpu", cpuModel(LinuxFiles.read(Path.of("/proc/cpuinfo"), "")));
        facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        facts.put("memory", memory(LinuxFiles.read(Path.of("/proc/meminfo"), "")));
        facts.put("cpuGovernor", LinuxFiles.fact(Path.of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")));
        facts.put("cgroupCpu", cpuLimit());
        facts.put(
                "cgroupMemory",
                memoryLimit(limit("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")));
        facts.put("jdk", property("java.vendor") + " " + property("java.runtime.version"));
        facts.put("jvm", property("java.vm.name"));
        facts.put(
                "jvmFlags",
                cut(String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments())));
        facts.put(
                "gc",
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .map(GarbageCollectorMXBean::getName)
                        .collect(Collectors.joining(", ")));
        facts.put("maxHeapBytes", Long.toString(Runtime.getRuntime().maxMemory()));
        facts.values().removeIf(LinuxFiles.UNKNOWN::equals);
        return facts;
    }

    /** The version that the build wrote into the program's jar; {@code development} if it does not run from one. */
    public static String version() {
        String version = MachineFacts.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    /** A limit of the control group, of its version 2 or 1. */
    private static String limit(String version2, String version1) {
        return LinuxFiles.read(Path.of(version2), LinuxFiles.fact(Path.of(version1)))
                .strip();
    }

    /** The processor time of this process's control group: {@link #NO_LIMIT}, unknown, or what the kernel says. */
    static String cpuLimit() {
        return cpuLimit(limit("/sys/fs/cgroup/cpu.max", "/sys/fs/cgroup/cpu/cpu.cfs_quota_us"));
    }

    /** Version 2 says {@code max} and a period, version 1 says -1 where nothing is limited. */
    static String cpuLimit(String kernels) {
        return kernels.equals("-1") || kernels.equals("max") || kernels.startsWith("max ") ? NO_LIMIT : kernels;
    }

    /** Version 2 says {@code max}, version 1 the greatest multiple of the page size in 63 bits. */
    static String memoryLimit(String kernels) {
        if (kernels.equals("max")) {
            return NO_LIMIT;
        }
        try {
            return Long.parseLong(kernels) >= UNLIMITED_BYTES ? NO_LIMIT : kernels;
        } catch (NumberFormatException e) {
            return kernels;
        }
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

    private static String property(String name) {
        return System.getProperty(name, LinuxFiles.UNKNOWN);
    }

    private static String cut(String text) {
        return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "...";
    }
}
