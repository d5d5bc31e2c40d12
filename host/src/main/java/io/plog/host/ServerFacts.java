package io.plog.host;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** What the server tells about its machine and its JVM, so that a report can say where its figures come from. */
public final class ServerFacts {
    /** Keeps the whole WELCOME within its limit. */
    private static final int MAX_VALUE = 2_000;

    /** No machine has an exbibyte; what the kernel says for "no limit" depends on its page size. */
    private static final long UNLIMITED_BYTES = 1L << 60;

    private static final String NO_LIMIT = "no limit";

    private ServerFacts() {}

    /** Looks at this process and this machine. */
    public static Map<String, String> collect(String transport, int eventLoops) {
        Map<String, String> facts = new LinkedHashMap<>();
        Package own = ServerFacts.class.getPackage();
        String version = own == null ? null : own.getImplementationVersion();
        facts.put("plog", version == null ? "development" : version);
        facts.put("os", property("os.name") + " " + property("os.version") + " " + property("os.arch"));
        facts.put(
                "host", DirectoryFacts.readOr("/proc/sys/kernel/hostname", null).strip());
        facts.put("cpu", cpuModel(DirectoryFacts.readOr("/proc/cpuinfo", "")));
        facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        facts.put("memory", memory(DirectoryFacts.readOr("/proc/meminfo", "")));
        facts.put(
                "cpuGovernor",
                DirectoryFacts.readOr("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", null)
                        .strip());
        addLimits(facts);
        facts.put(
                "jvm",
                property("java.vm.name") + " " + property("java.runtime.version") + ", " + property("java.vendor"));
        facts.put(
                "jvmFlags",
                cut(String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments())));
        facts.put(
                "gc",
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .map(GarbageCollectorMXBean::getName)
                        .collect(Collectors.joining(", ")));
        facts.put("heapMaxBytes", Long.toString(Runtime.getRuntime().maxMemory()));
        facts.put("transport", transport);
        facts.put("eventLoops", Integer.toString(eventLoops));
        return facts;
    }

    /** Limits of the control group, version 2 or 1, where there are any. */
    private static void addLimits(Map<String, String> facts) {
        String cpu = DirectoryFacts.readOr(
                "/sys/fs/cgroup/cpu.max", DirectoryFacts.readOr("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", null));
        String memory = DirectoryFacts.readOr(
                "/sys/fs/cgroup/memory.max",
                DirectoryFacts.readOr("/sys/fs/cgroup/memory/memory.limit_in_bytes", null));
        facts.put("cgroupCpu", cpuLimit(cpu.strip()));
        facts.put("cgroupMemory", memoryLimit(memory.strip()));
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

    /** The first model name in the text of {@code /proc/cpuinfo}. */
    static String cpuModel(String cpuInfo) {
        return value(cpuInfo, "model name");
    }

    /** The total in the text of {@code /proc/meminfo}. */
    static String memory(String memInfo) {
        return value(memInfo, "MemTotal");
    }

    private static String value(String text, String key) {
        for (String line : text.split("\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.substring(0, colon).strip().equals(key)) {
                return line.substring(colon + 1).strip();
            }
        }
        return "unknown";
    }

    private static String property(String name) {
        return System.getProperty(name, "unknown");
    }

    private static String cut(String text) {
        return text.length() <= MAX_VALUE ? text : text.substring(0, MAX_VALUE) + "...";
    }
}
