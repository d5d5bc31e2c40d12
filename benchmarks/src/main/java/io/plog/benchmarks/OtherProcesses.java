package io.plog.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What Linux says of the processes that serve a measurement, such as bookies. */
final class OtherProcesses {
    private static final Pattern LINE = Pattern.compile("^(\\S+) runs in process (\\d+)$", Pattern.MULTILINE);

    // In a process's stat, behind its name.
    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;

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

    /** Processor time that a process has used, in the ticks of {@code /proc/stat}; 0 if it has ended. */
    static long ticks(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
            return Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS]);
        } catch (IOException e) {
            return 0;
        }
    }

    /** A process's resident memory, in MiB. */
    static double residentMebibytes(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .findFirst()
                        .orElseThrow(() -> new IOException("process " + pid + " has no VmRSS: it has ended"))
                / 1024.0;
    }
}
