package io.plog.host;

import com.sun.management.OperatingSystemMXBean;
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

    /** The fact of a control group that limits nothing. */
    public static final String NO_LIMIT = "no limit";

    private static final int BOOT_CHARACTERS = 8;

    private MachineFacts() {}

    /** Looks at this process and this machine; takes a few milliseconds. The map is the caller's. */
    public static Map<String, String> collect() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("plog", Build.current().version());
        facts.put("commit", Build.current().commit());
        facts.put("os", property("os.name") + " " + property("os.version"));
        facts.put("arch", property("os.arch"));
        facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        facts.putAll(machine());
        facts.put("jdk", property("java.vendor") + " " + property("java.runtime.version"));
        facts.put("jvm", property("java.vm.name"));
        facts.put(
                "jvmFlags",
                cut(ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                        .filter(flag -> !flag.startsWith("-Dplog.")) // no flag of the JVM
                        .collect(Collectors.joining(" "))));
        facts.put(
                "gc",
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .map(GarbageCollectorMXBean::getName)
                        .collect(Collectors.joining(", ")));
        facts.put("maxHeapBytes", Long.toString(Runtime.getRuntime().maxMemory()));
        facts.values().removeIf(LinuxFiles.UNKNOWN::equals);
        return facts;
    }

    /** Host, processor, memory, and what limits them: from the files of Linux or, where these cannot be read, from the JDK. */
    private static Map<String, String> machine() {
        Map<String, String> facts = new LinkedHashMap<>();
        String boot = LinuxFiles.fact(Path.of("/proc/sys/kernel/random/boot_id"));
        // Containers of one machine have one kernel, and so the same; a part of it is enough to tell machines apart.
        facts.put("boot", boot.length() > BOOT_CHARACTERS ? boot.substring(0, BOOT_CHARACTERS) : LinuxFiles.UNKNOWN);
        facts.put(
                "host",
                known(
                        LinuxFiles.fact(Path.of("/proc/sys/kernel/hostname")),
                        variable("COMPUTERNAME", variable("HOSTNAME", LinuxFiles.UNKNOWN))));
        facts.put(
                "cpu",
                known(
                        LinuxFiles.value(LinuxFiles.read(Path.of("/proc/cpuinfo"), ""), "model name"),
                        variable("PROCESSOR_IDENTIFIER", LinuxFiles.UNKNOWN)));
        facts.put(
                "memory",
                known(
                        LinuxFiles.value(LinuxFiles.read(Path.of("/proc/meminfo"), ""), "MemTotal"),
                        ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                                ? system.getTotalMemorySize() / 1024 + " kB"
                                : LinuxFiles.UNKNOWN));
        facts.put("cpuGovernor", LinuxFiles.fact(Path.of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")));
        facts.put("cgroupCpu", limitOf(LinuxFiles.fact(Path.of("/sys/fs/cgroup/cpu.max"))));
        facts.put("cgroupMemory", limitOf(LinuxFiles.fact(Path.of("/sys/fs/cgroup/memory.max"))));
        return facts;
    }

    private static String known(String fact, String otherwise) {
        return fact.equals(LinuxFiles.UNKNOWN) ? otherwise : fact;
    }

    private static String variable(String name, String otherwise) {
        return System.getenv().getOrDefault(name, otherwise);
    }

    /** The kernel says {@code max}, for processor time with a period behind it, where nothing is limited. */
    static String limitOf(String kernels) {
        return kernels.equals("max") || kernels.startsWith("max ") ? NO_LIMIT : kernels;
    }

    private static String property(String name) {
        return System.getProperty(name, LinuxFiles.UNKNOWN);
    }

    private static String cut(String text) {
        return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "...";
    }
}
