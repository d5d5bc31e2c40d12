package io.plog.host.events;

import io.plog.host.LinuxFiles;
import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * How long this process's just-in-time compilers have worked: the processor time of their threads. Elsewhere than on Linux it is
 * what the JVM tells, which counts a compilation when it has ended, and the time that its thread waited for a processor with it.
 * Any thread may ask.
 */
public final class CompilerTime {
    /** How the kernel knows them; it keeps fifteen characters of a name. */
    private static final String THREADS = "C[12] CompilerThre.*";

    private final Path tasks;
    private final Map<Path, Long> nanosOfThread = new HashMap<>(); // the JVM ends those that it does not need

    /** @param proc {@code /proc}, or a tree like it */
    CompilerTime(Path proc) {
        tasks = proc.resolve("self/task");
    }

    /** Those of this process. */
    public static CompilerTime ofThisProcess() {
        return new CompilerTime(Path.of("/proc"));
    }

    /** In nanoseconds; -1 if nobody tells. */
    public synchronized long nanos() {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                if (LinuxFiles.fact(thread.resolve("comm")).matches(THREADS)) {
                    String nanos = LinuxFiles.fact(thread.resolve("schedstat")).split(" ", 2)[0];
                    nanosOfThread.merge(thread, Long.parseLong(nanos), Math::max);
                }
            }
        } catch (IOException | NumberFormatException e) {
            nanosOfThread.clear();
        }
        return nanosOfThread.isEmpty()
                ? ofTheJvm()
                : nanosOfThread.values().stream().mapToLong(Long::longValue).sum();
    }

    private static long ofTheJvm() {
        CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
        return compilers == null || !compilers.isCompilationTimeMonitoringSupported()
                ? ProcFiles.UNKNOWN
                : compilers.getTotalCompilationTime() * 1_000_000;
    }
}
