package io.plog.host;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the JDK and the environment tell on any system. */
final class PlainFactSource implements FactSource {
    @Override
    public Map<String, String> machine() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("host", variable("COMPUTERNAME", variable("HOSTNAME", LinuxFiles.UNKNOWN)));
        facts.put("cpu", variable("PROCESSOR_IDENTIFIER", LinuxFiles.UNKNOWN));
        facts.put(
                "memory",
                ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                        ? system.getTotalMemorySize() / 1024 + " kB"
                        : LinuxFiles.UNKNOWN);
        return facts;
    }

    @Override
    public Map<String, String> directory(Path real) {
        Map<String, String> facts = new HashMap<>();
        try {
            FileStore store = Files.getFileStore(real);
            facts.put("fileSystem", store.type());
            facts.put("source", store.name());
            facts.put("readOnly", store.isReadOnly() ? "yes" : "no");
        } catch (IOException e) {
            // Linux without /proc: nobody knows the mounts.
        }
        return facts;
    }

    private static String variable(String name, String otherwise) {
        return System.getenv().getOrDefault(name, otherwise);
    }
}
