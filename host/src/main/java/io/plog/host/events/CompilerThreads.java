package io.plog.host.events;

import io.plog.host.LinuxFiles;
import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The just-in-time compilers of a process: how long they have worked, and a way to make them wait for everybody else. Any thread may
 * ask.
 */
public final class CompilerThreads {
    /** How the kernel knows them; it keeps fifteen characters of a name. */
    private static final List<String> NAMES = List.of("C1 CompilerThre", "C2 CompilerThre");

    private static final int MOST_OTHERS = 1_000;

    private final Path tasks;
    private final Map<Path, Long> nanosOfThread = new HashMap<>(); // the JVM ends those that it does not need
    private final Set<Path> others = new HashSet<>(); // looked at once: asking must not be what keeps compilers busy

    /** @param proc {@code /proc}, or a tree like it */
    CompilerThreads(Path proc) {
        tasks = proc.resolve("self/task");
    }

    public static CompilerThreads ofThisProcess() {
        return new CompilerThreads(Path.of("/proc"));
    }

    /**
     * How long they have worked, in nanoseconds: the processor time of their threads. Elsewhere than on Linux it is what the JVM
     * tells, which counts a compilation when it has ended, and the time that its thread waited for a processor with it; -1 if
     * nobody tells.
     */
    public synchronized long nanos() {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks, thread -> !others.contains(thread))) {
            for (Path thread : threads) {
                if (nanosOfThread.containsKey(thread) || isCompiler(thread)) {
                    String nanos = LinuxFiles.fact(thread.resolve("schedstat")).split(" ", 2)[0];
                    nanosOfThread.merge(thread, Long.parseLong(nanos), Math::max);
                } else {
                    others.add(thread);
                }
            }
        } catch (IOException | DirectoryIteratorException | NumberFormatException e) {
            nanosOfThread.clear();
        }
        if (others.size() > MOST_OTHERS) {
            others.clear(); // most are gone
        }
        return nanosOfThread.isEmpty()
                ? ofTheJvm()
                : nanosOfThread.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Puts the compilers of these processes into the scheduling class for idle time, once and for all. Linux lets a thread that has
     * just woken keep its processor for its whole slice, of 3 ms, whoever else wakes; one of this class makes way at once. Best
     * effort: {@code chrt} of util-linux does it, if it is there.
     */
    public static void makeWay(List<ProcessHandle> processes) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "for t; do chrt -i -p 0 \"$t\"; done", "sh"));
        for (ProcessHandle process : processes) {
            command.addAll(ids(Path.of("/proc/" + process.pid() + "/task")));
        }
        try {
            new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException noSuchSystem) {
            // They stay as they are.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<String> ids(Path tasks) {
        List<String> ids = new ArrayList<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks, CompilerThreads::isCompiler)) {
            threads.forEach(thread -> ids.add(thread.getFileName().toString()));
        } catch (IOException | DirectoryIteratorException hasEnded) {
            return List.of();
        }
        return ids;
    }

    private static boolean isCompiler(Path thread) {
        return NAMES.contains(LinuxFiles.fact(thread.resolve("comm")));
    }

    private static long ofTheJvm() {
        CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
        return compilers == null || !compilers.isCompilationTimeMonitoringSupported()
                ? ProcFiles.UNKNOWN
                : compilers.getTotalCompilationTime() * 1_000_000;
    }
}
