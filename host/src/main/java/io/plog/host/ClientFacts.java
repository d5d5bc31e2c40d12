package io.plog.host;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Facts about the machine and the JVM that measure: what a reader needs to judge the figures, and to repeat them. What
 * the system does not tell is left out.
 */
public final class ClientFacts {
    private static final int CLOCK_READS = 200_000;

    private ClientFacts() {}

    /**
     * Collects them; takes some tens of milliseconds, in which the clock is measured.
     *
     * @param loopback whether the server is reached over this machine's loopback
     */
    public static Map<String, String> collect(boolean loopback) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("plog", version());
        facts.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("arch", System.getProperty("os.arch"));
        valueOf(Path.of("/proc/cpuinfo"), "model name").ifPresent(model -> facts.put("cpu", model));
        facts.put("cores", String.valueOf(Runtime.getRuntime().availableProcessors()));
        valueOf(Path.of("/proc/meminfo"), "MemTotal").ifPresent(memory -> facts.put("memory", memory));
        facts.put("jdk", System.getProperty("java.vendor") + " " + System.getProperty("java.runtime.version"));
        facts.put("jvm", System.getProperty("java.vm.name"));
        facts.put(
                "jvmFlags",
                String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
        facts.put("maxHeapBytes", String.valueOf(Runtime.getRuntime().maxMemory()));
        facts.put("network", loopback ? "loopback" : "remote");
        measureClock(facts);
        return facts;
    }

    /** The version of this program; {@code dev} when it does not run from its jar. */
    public static String version() {
        return Optional.ofNullable(ClientFacts.class.getPackage().getImplementationVersion())
                .orElse("dev");
    }

    /** The smallest step seen between two reads, and what a read costs on average. */
    private static void measureClock(Map<String, String> facts) {
        long least = Long.MAX_VALUE;
        long begin = System.nanoTime();
        long before = begin;
        for (int i = 0; i < CLOCK_READS; i++) {
            long now = System.nanoTime();
            if (now > before) {
                least = Math.min(least, now - before);
            }
            before = now;
        }
        facts.put("clockStepNanos", String.valueOf(least));
        facts.put("clockCostNanos", String.format(Locale.ROOT, "%.1f", (before - begin) / (double) CLOCK_READS));
    }

    private static Optional<String> valueOf(Path file, String name) {
        try (Stream<String> lines = Files.lines(file, StandardCharsets.UTF_8)) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
