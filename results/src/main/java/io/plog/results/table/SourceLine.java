package io.plog.results.table;

import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The line under a figure that says where its data come from, so that a file of it stands alone. Stateless. */
public final class SourceLine {
    private SourceLine() {}

    /**
     * Date, number of requests and machine in a line.
     *
     * @param version of plog
     * @param startedAt when the run began, as ISO 8601 has it
     * @param requests how many there are, such as {@code n = 2,000 requests in each cell}
     * @param server facts about the server's machine by name
     * @param disks facts about each log's directory by name; disks that are described alike are named once
     */
    public static String of(
            String version,
            String startedAt,
            String requests,
            Map<String, String> server,
            List<? extends Map<String, String>> disks) {
        List<String> parts = new ArrayList<>();
        parts.add("plog " + version + ", " + date(startedAt));
        parts.add(requests);
        parts.add(place(server, disks));
        return parts.stream().filter(part -> !part.isEmpty()).collect(Collectors.joining(" · "));
    }

    /** The server's machine and the disks of its logs; empty if nothing is known of them. */
    public static String place(Map<String, String> server, List<? extends Map<String, String>> disks) {
        return Stream.of(
                        machine(server),
                        disks.stream()
                                .map(SourceLine::disk)
                                .filter(disk -> !disk.isEmpty())
                                .distinct()
                                .collect(Collectors.joining("; ")))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" · "));
    }

    /**
     * How many there are in the cells of a run: {@code n = 2,000 requests in each of 15 cells}.
     *
     * @param noun {@code requests} or {@code writes}
     */
    public static String counts(LongSummaryStatistics cells, String noun) {
        if (cells.getCount() == 0) {
            return "n = 0 " + noun;
        }
        return "n = "
                + (cells.getMin() == cells.getMax() ? "" : Units.count(cells.getMin()) + " to ")
                + Units.count(cells.getMax()) + " " + noun + " in each of " + cells.getCount()
                + (cells.getCount() == 1 ? " cell" : " cells");
    }

    /** A moment to the second, as people write it: {@code 2026-11-22 23:19:00 UTC}. */
    public static String date(String startedAt) {
        return startedAt.replace("T", " ").replaceFirst("(\\.\\d+)?Z$", " UTC");
    }

    private static String machine(Map<String, String> server) {
        String cores = server.getOrDefault("cores", "");
        return Stream.of(
                        known(server, "cpu")
                                + (cores.isEmpty() ? "" : ", " + cores + (cores.equals("1") ? " core" : " cores")),
                        known(server, "os").isEmpty() ? known(server, "kernel") : known(server, "os"))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private static String disk(Map<String, String> facts) {
        String words = Stream.of("fileSystem", "device", "model")
                .map(name -> known(facts, name))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" "));
        return words.isEmpty() ? "" : "log on " + words;
    }

    private static String known(Map<String, String> facts, String name) {
        String value = Objects.requireNonNullElse(facts.get(name), "");
        return value.equals("unknown") ? "" : value;
    }
}
