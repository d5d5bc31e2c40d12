package io.plog.benchmarks.result;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A campaign as Markdown: the overview, then what each contestant reached, then where it ran. */
public final class Markdown {
    private static final String DEFAULT = "plog-fdatasync";

    private Markdown() {}

    /** All that was measured: a table for each cell. The plots are in the same directory. */
    public static String table(CampaignResults results) {
        CampaignSummary summary = CampaignSummary.of(results);
        StringBuilder out = head(results);
        overview(out, summary);
        plots(out, "");
        for (CampaignSummary.CellSummary cell : summary.cells()) {
            details(out, cell);
        }
        environment(out, results);
        return out.toString();
    }

    /**
     * What a page has room for: throughput and latency in one table.
     *
     * @param plots where the plots are, relative to the page: a directory and the beginning of their names
     */
    public static String page(CampaignResults results, String plots) {
        CampaignSummary summary = CampaignSummary.of(results);
        StringBuilder out = head(results);
        contestants(out, summary);
        plots(out, plots);
        environment(out, results);
        return out.toString();
    }

    private static StringBuilder head(CampaignResults results) {
        StringBuilder out = new StringBuilder();
        out.append("`")
                .append(results.command())
                .append("`, ")
                .append(results.environment().date());
        out.append(", ")
                .append(results.rounds())
                .append(" rounds, seed ")
                .append(results.seed())
                .append(".\n\n");
        return out;
    }

    private static void plots(StringBuilder out, String plots) {
        out.append("\n![Throughput relative to the limit](").append(plots).append("throughput.svg)\n");
        out.append("\n![Latency at depth 1](").append(plots).append("latency.svg)\n");
    }

    private static void overview(StringBuilder out, CampaignSummary summary) {
        out.append("| outstanding x size | limit, /s | plain loop | plog, default | plog, best | best peer |\n");
        out.append("|---|--:|--:|--:|--:|--:|\n");
        for (CampaignSummary.CellSummary cell : summary.cells()) {
            out.append("| ").append(cell.cell().label());
            out.append(" | ").append(number(cell.limitPerSecond()));
            out.append(" | ").append(named(cell.best("PLAIN"), "plain-"));
            out.append(" | ")
                    .append(cell.row(DEFAULT).map(row -> ratio(row.ofLimit())).orElse("-"));
            out.append(" | ").append(named(cell.best("PLOG"), "plog-"));
            out.append(" | ").append(named(cell.best("PEER"), ""));
            out.append(" |\n");
        }
    }

    private static String named(Optional<CampaignSummary.Row> best, String prefix) {
        return best.map(row -> ratio(row.ofLimit()) + " " + row.contestant().substring(prefix.length()))
                .orElse("-");
    }

    private static void contestants(StringBuilder out, CampaignSummary summary) {
        List<String> names = summary.cells().stream()
                .flatMap(cell -> cell.rows().stream())
                .map(CampaignSummary.Row::contestant)
                .distinct()
                .toList();
        out.append("| appends/s; p50 µs; p99 µs | ")
                .append(String.join(" | ", names))
                .append(" |\n|---|")
                .append("--:|".repeat(names.size()))
                .append('\n');
        for (CampaignSummary.CellSummary cell : summary.cells()) {
            out.append("| ").append(cell.cell().label());
            for (String name : names) {
                out.append(" | ")
                        .append(cell.row(name)
                                .map(Markdown::throughputAndLatency)
                                .orElse("-"));
            }
            out.append(" |\n");
        }
    }

    private static String throughputAndLatency(CampaignSummary.Row row) {
        return number(row.appendsPerSecond()) + "; " + number(row.p50Micros()) + "; " + number(row.p99Micros());
    }

    private static void details(StringBuilder out, CampaignSummary.CellSummary cell) {
        out.append("\n### ").append(cell.cell().label()).append("\n\n");
        out.append("| | appends/s | of limit | p50 µs | p99 µs | p99.9 µs | CPU µs/append | allocated B/append"
                + " | flushes/append | device B/payload B |\n");
        out.append("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
        for (CampaignSummary.Row row : cell.rows()) {
            List<String> fields = new ArrayList<>();
            fields.add(row.kind().equals("CONTROL") ? row.contestant() + " (not durable)" : row.contestant());
            fields.add(number(row.appendsPerSecond()));
            fields.add(row.kind().equals("CONTROL") ? "-" : ratio(row.ofLimit()));
            fields.add(number(row.p50Micros()));
            fields.add(number(row.p99Micros()));
            fields.add(number(row.p999Micros()));
            fields.add(number(row.cpuMicrosPerAppend()));
            fields.add(number(row.allocatedBytesPerAppend()));
            fields.add(number(row.flushesPerAppend()));
            fields.add(number(row.deviceBytesPerPayloadByte()));
            out.append("| ").append(String.join(" | ", fields)).append(" |\n");
        }
    }

    private static void environment(StringBuilder out, CampaignResults results) {
        Environment environment = results.environment();
        out.append("\n### Where it ran\n\n");
        line(out, "commit", environment.commit());
        line(out, "processor", environment.cpu());
        line(out, "memory", environment.memory());
        line(out, "kernel", environment.kernel());
        line(out, "file system", environment.fileSystem());
        line(out, "device", environment.device());
        line(out, "JDK", environment.jdk());
        line(out, "flags of each JVM", "`" + environment.jvmFlags() + "`");
        line(out, "fio", environment.fio());
        double[] others = results.measurements().stream()
                .mapToDouble(Measurement::othersShare)
                .toArray();
        line(
                out,
                "processor time of others meanwhile",
                "median " + number(100 * SampleQuantiles.median(others)) + " %, at most "
                        + number(100 * Arrays.stream(others).max().orElse(0)) + " %");
        line(out, "peers", String.join(", ", environment.libraries()));
        for (Map.Entry<String, String> absent : results.absent().entrySet()) {
            line(out, "did not take part", absent.getKey() + ": " + absent.getValue());
        }
    }

    private static void line(StringBuilder out, String name, String value) {
        out.append("- ").append(name).append(": ").append(value).append('\n');
    }

    private static String ratio(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value);
    }

    /** Three digits that count: 1,234,567; 123; 12.3; 1.23; 0.0123. */
    static String number(@Nullable Double value) {
        if (value == null || value.isNaN()) {
            return "-";
        }
        double size = Math.abs(value);
        String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 || size == 0 ? "%.2f" : "%.4f";
        return String.format(Locale.ROOT, format, value);
    }
}
