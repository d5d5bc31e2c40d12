package io.plog.benchmarks.result;

import io.plog.benchmarks.result.ReplicatedResults.Recovery;
import io.plog.benchmarks.result.ReplicatedResults.Resident;
import io.plog.benchmarks.result.ReplicatedResults.Speed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** The measurements of a log on bookies as Markdown: speed, recovery, memory, and where it ran. */
public final class ReplicatedMarkdown {
    private record Cell(int outstanding, int bytes) {}

    private record Length(int records, int recordBytes) {}

    private ReplicatedMarkdown() {}

    /** The whole page part. */
    public static String render(ReplicatedResults results) {
        StringBuilder out = new StringBuilder();
        out.append("`")
                .append(results.command())
                .append("`, ")
                .append(results.environment().date());
        out.append(", ").append(results.rounds()).append(" rounds, seed ").append(results.seed());
        out.append(".\n\n");
        speeds(out, results.speeds());
        recoveries(out, results.recoveries());
        memory(out, results.memory());
        environment(out, results);
        return out.toString();
    }

    private static void speeds(StringBuilder out, List<Speed> speeds) {
        out.append("| outstanding x bytes | plain, /s | plog, /s | plog over plain, of each round"
                + " | plain p50, p99 ms | plog p50, p99 ms |\n");
        out.append("|---|--:|--:|---|--:|--:|\n");
        Set<Cell> cells = new LinkedHashSet<>();
        speeds.forEach(each -> cells.add(new Cell(each.outstanding(), each.bytes())));
        for (Cell cell : cells) {
            List<Speed> plain = of(speeds, cell, ReplicatedResults.PLAIN);
            List<Speed> plog = of(speeds, cell, ReplicatedResults.PLOG);
            out.append(String.format(
                    Locale.ROOT,
                    "| %d x %,d | %,.0f | %,.0f | %s | %s | %s |%n",
                    cell.outstanding,
                    cell.bytes,
                    median(plain, Speed::perSecond),
                    median(plog, Speed::perSecond),
                    ratios(plog, plain),
                    latency(plain),
                    latency(plog)));
        }
    }

    private static List<Speed> of(List<Speed> speeds, Cell cell, String way) {
        return speeds.stream()
                .filter(each -> each.outstanding() == cell.outstanding && each.bytes() == cell.bytes)
                .filter(each -> each.way().equals(way))
                .toList();
    }

    /** The median of the rounds' ratios, the least and the greatest; a round without both does not count. */
    private static String ratios(List<Speed> plog, List<Speed> plain) {
        double[] ratios = plog.stream()
                .flatMapToDouble(mine -> plain.stream()
                        .filter(other -> other.round() == mine.round())
                        .mapToDouble(other -> mine.perSecond() / other.perSecond()))
                .sorted()
                .toArray();
        return ratios.length == 0
                ? "-"
                : String.format(
                        Locale.ROOT,
                        "%.2f (%.2f to %.2f)",
                        SampleQuantiles.median(ratios),
                        ratios[0],
                        ratios[ratios.length - 1]);
    }

    private static String latency(List<Speed> speeds) {
        return Markdown.number(median(speeds, Speed::p50Micros) / 1e3) + ", "
                + Markdown.number(median(speeds, Speed::p99Micros) / 1e3);
    }

    private static <T> double median(List<T> values, ToDoubleFunction<T> of) {
        return values.isEmpty()
                ? Double.NaN
                : SampleQuantiles.median(values.stream().mapToDouble(of).toArray());
    }

    private static void recoveries(StringBuilder out, List<Recovery> recoveries) {
        if (recoveries.isEmpty()) {
            return;
        }
        out.append("\n| length of the log | taken over, s (least to most) | read, s | read, records/s |\n");
        out.append("|---|--:|--:|--:|\n");
        Map<Length, List<Recovery>> byLength = new LinkedHashMap<>();
        recoveries.forEach(each -> byLength.computeIfAbsent(
                        new Length(each.records(), each.recordBytes()), key -> new ArrayList<>())
                .add(each));
        byLength.forEach((length, rounds) -> {
            double[] open = rounds.stream().mapToDouble(Recovery::openSeconds).toArray();
            double read = median(rounds, Recovery::readSeconds);
            out.append(String.format(
                    Locale.ROOT,
                    "| %,d MB, records of %,d B | %s (%s to %s) | %s | %,.0f |%n",
                    Math.round((double) length.records * length.recordBytes / 1e6),
                    length.recordBytes,
                    Markdown.number(SampleQuantiles.median(open)),
                    Markdown.number(Arrays.stream(open).min().orElse(Double.NaN)),
                    Markdown.number(Arrays.stream(open).max().orElse(Double.NaN)),
                    Markdown.number(read),
                    length.records / read));
        });
    }

    private static void memory(StringBuilder out, List<Resident> memory) {
        if (memory.isEmpty()) {
            return;
        }
        Set<String> times = new LinkedHashSet<>();
        Map<String, Map<String, Double>> byProcess = new LinkedHashMap<>();
        for (Resident each : memory) {
            times.add(each.when());
            byProcess
                    .computeIfAbsent(each.process(), key -> new LinkedHashMap<>())
                    .put(each.when(), each.mebibytes());
        }
        out.append("\n| resident memory, MiB | ")
                .append(String.join(" | ", times))
                .append(" |\n|---|");
        out.append("--:|".repeat(times.size())).append("\n");
        byProcess.forEach((process, values) -> {
            out.append("| ").append(process);
            times.forEach(when -> out.append(" | ")
                    .append(values.containsKey(when) ? String.format(Locale.ROOT, "%.0f", values.get(when)) : "-"));
            out.append(" |\n");
        });
    }

    private static void environment(StringBuilder out, ReplicatedResults results) {
        Environment where = results.environment();
        double[] others =
                results.speeds().stream().mapToDouble(Speed::othersShare).toArray();
        out.append("\n- plog ").append(where.commit()).append(", ").append(where.jdk());
        out.append("\n- ").append(where.cpu()).append(", ").append(where.memory());
        out.append(", kernel ").append(where.kernel());
        out.append("\n- ").append(where.fileSystem()).append(" on ").append(where.device());
        if (others.length > 0) {
            out.append(String.format(
                    Locale.ROOT,
                    "%n- processor time of others than this process and the bookies meanwhile: median %.1f %%, at most %.1f %%",
                    100 * SampleQuantiles.median(others),
                    100 * Arrays.stream(others).max().orElse(0)));
        }
        out.append("\n");
    }
}
