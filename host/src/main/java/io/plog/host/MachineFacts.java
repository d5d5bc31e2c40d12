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

    /** The fact of a control group that limits nothing. */
    public static final String NO_LIMIT = "no limit";

    private MachineFacts() {}

    /** Looks at this process and this machine; takes a few milliseconds. The map is the caller's. */
    public static Map<String, String> collect() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("plog", Build.current().version());
        facts.put("commit", Build.current().commit());
        facts.put("os", property("os.name") + " " + property("os.version"));
        facts.put("arch", property("os.arch"));
        facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        facts.putAll(FactSource.current().machine());
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

    /** The processor time of this process's control group: {@link #NO_LIMIT}, unknown, or what the kernel says. */
    static String cpuLimit() {
        return limitOf(LinuxFiles.fact(Path.of("/sys/fs/cgroup/cpu.max")));
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
