package io.plog.benchmarks;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How to start another JVM of this program: the same java, class path and flags. The script gives the flags once, and every
 * contestant gets the same.
 */
record JvmCommand(List<String> line) {
    static JvmCommand ofThisJvm() {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(flags());
        line.add("-cp");
        line.add(System.getProperty("java.class.path"));
        line.add(Benchmarks.class.getName());
        return new JvmCommand(List.copyOf(line));
    }

    /** The flags of this JVM. */
    static List<String> flags() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments();
    }
}
