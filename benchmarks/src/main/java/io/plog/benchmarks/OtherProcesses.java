package io.plog.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What Linux says of the processes that serve a measurement, such as bookies. */
final class OtherProcesses {
    private static final Pattern LINE = Pattern.compile("^(\\S+) runs in process (\\d+)$", Pattern.MULTILINE);

    private OtherProcesses() {}

    /** The ids by name, as {@code plog bookies} prints them. */
    static Map<String, Long> ofOutput(String output) {
        return LINE.matcher(output)
                .results()
                .collect(Collectors.toMap(
                        (MatchResult line) -> line.group(1),
                        (MatchResult line) -> Long.parseLong(line.group(2)),
                        (first, second) -> second,
                        LinkedHashMap::new));
    }

    /** Processor time that a process has used, in nanoseconds; 0 if it has ended. */
    static long cpuNanos(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .map(Duration::toNanos)
                .orElse(0L);
    }

    /** A process's resident memory. */
    static long residentBytes(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .findFirst()
                        .orElseThrow(() -> new IOException("process " + pid + " has no VmRSS: it has ended"))
                * 1024;
    }
}
