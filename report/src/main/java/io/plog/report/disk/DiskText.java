package io.plog.report.disk;

import io.plog.measure.disk.FileKind;
import io.plog.stats.text.Micros;
import io.plog.stats.text.TextLines;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The results as text, at most {@value TextLines#WIDTH} columns wide: facts, figures and the verdict of each directory. */
public final class DiskText {
    private static final double MEDIAN = 0.5;
    private static final String UNKNOWN = "unknown";

    /** Facts are texts: what stands there may be no number. */
    private static final Pattern BYTES = Pattern.compile("\\d{1,18}");

    private static final String RANDOM = FileKind.RANDOM.label();

    private final DiskResults results;
    private final StringBuilder text = new StringBuilder();

    private DiskText(DiskResults results) {
        this.results = results;
    }

    /** The text, ending with a line's end. */
    public static String of(DiskResults results) {
        DiskText text = new DiskText(results);
        if (results.partial().partial()) {
            text.wrapped("! partial: ", results.partial().reason());
            text.line("");
        }
        for (DiskResults.Directory directory : results.directories()) {
            text.facts(directory);
            text.singles(directory);
            text.shared(directory);
            text.company(directory);
            text.verdict(directory);
        }
        DiskResults.Plan plan = results.plan();
        text.wrapped(
                "",
                plan.blocksDone() + " of " + plan.blocks() + " randomised blocks, seed " + plan.seed()
                        + "; every distribution is in --json");
        return text.text.toString();
    }

    private void facts(DiskResults.Directory directory) {
        Map<String, String> facts = directory.facts();
        line(directory.path());
        wrapped(
                "  device       ",
                fact(facts, "device")
                        + (known(facts, "madeOf") ? " made of " + fact(facts, "madeOf") : "")
                        + (known(facts, "backingFile") ? " in " + fact(facts, "backingFile") : "")
                        + ", model " + fact(facts, "model")
                        + ", rotational " + fact(facts, "rotational")
                        + ", write cache " + fact(facts, "writeCache")
                        + ", FUA " + fact(facts, "fua")
                        + ", scheduler " + fact(facts, "scheduler"));
        wrapped(
                "  file system  ",
                fact(facts, "fileSystem") + " at " + fact(facts, "mountPoint") + " ("
                        + fact(facts, "mountOptions").replace(",", ", ") + "), "
                        + gibibytes(fact(facts, "freeBytes")) + " of " + gibibytes(fact(facts, "totalBytes"))
                        + " GiB free");
        wrapped(
                "  system       ",
                "container " + fact(facts, "container") + ", virtual machine " + fact(facts, "virtualMachine"));
        if (known(facts, "note")) {
            wrapped("  note         ", fact(facts, "note"));
        }
        for (DiskResults.Way way : directory.ways()) {
            String label = String.format(Locale.ROOT, "  %-13s", way.force());
            wrapped(label, (way.available() ? "" : "not available here: ") + way.detail());
        }
        line("");
    }

    /** One append at a time: what it takes from the write to the end of the force. */
    private void singles(DiskResults.Directory directory) {
        List<String> kinds = results.plan().files();
        String first = kinds.get(0);
        String second = kinds.size() > 1 && !kinds.get(1).equals(RANDOM) ? kinds.get(1) : "";
        line("one append at a time, µs");
        line(String.format(Locale.ROOT, "%-24s%-53s%s", "", first + " file", second.isEmpty() ? "" : second + " file"));
        singleRow("size", "force", "n", "write", "force", "p50", "95 % of p50", "p95", "p99", "max", "p50", "p99");
        int size = 0;
        for (DiskResults.Cell cell : directory.cells()) {
            if (cell.isSingle() && cell.file().equals(first)) {
                single(directory, cell, cell.sizeBytes() == size ? "" : Units.size(cell.sizeBytes()), second);
                size = cell.sizeBytes();
            }
        }
        line("write, force: medians of the two alone; the rest is of both together. * too few samples to bound it");
        line("");
    }

    private void single(DiskResults.Directory directory, DiskResults.Cell cell, String size, String second) {
        Optional<DiskResults.Distribution> other = find(directory, cell, second, 1);
        singleRow(
                size,
                cell.force(),
                Integer.toString(cell.groups()),
                at(cell.writeMicros(), MEDIAN),
                at(cell.forceMicros(), MEDIAN),
                at(cell.bothMicros(), MEDIAN),
                interval(cell.bothMicros()),
                at(cell.bothMicros(), 0.95),
                at(cell.bothMicros(), 0.99),
                cell.bothMicros() == null
                        ? "-"
                        : Micros.narrow(cell.bothMicros().max()),
                second.isEmpty() ? "" : at(other.orElse(null), MEDIAN),
                second.isEmpty() ? "" : at(other.orElse(null), 0.99));
    }

    private void singleRow(Object... columns) {
        line(String.format(Locale.ROOT, "%-8s%-9s%5s%8s%8s%8s%14s%8s%8s%8s%8s%8s", columns)
                .stripTrailing());
    }

    /** What an append costs when several share a force. */
    private void shared(DiskResults.Directory directory) {
        List<Integer> depths = results.plan().shared();
        if (depths.size() == 1) {
            return;
        }
        String kind = results.plan().files().get(0);
        line("appends that share a force, µs each (median time of the group by their number), " + kind + " file");
        List<String> heading = new ArrayList<>();
        depths.forEach(depth -> heading.add(Integer.toString(depth)));
        sharedRow("size", "force", heading);
        int size = 0;
        for (DiskResults.Cell cell : directory.cells()) {
            if (cell.isSingle() && cell.file().equals(kind)) {
                List<String> columns = new ArrayList<>();
                for (int depth : depths) {
                    columns.add(find(directory, cell, kind, depth)
                            .map(both -> Micros.narrow(both.p50() / depth))
                            .orElse("-"));
                }
                sharedRow(cell.sizeBytes() == size ? "" : Units.size(cell.sizeBytes()), cell.force(), columns);
                size = cell.sizeBytes();
            }
        }
        line("");
    }

    private void sharedRow(String size, String force, List<String> columns) {
        StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "%-8s%-10s", size, force));
        columns.forEach(column -> row.append(String.format(Locale.ROOT, "%9s", column)));
        line(row.toString());
    }

    /** What a log pays that is not alone on its disk, or does not write sequentially. */
    private void company(DiskResults.Directory directory) {
        List<DiskComparisons.Row> rows = DiskComparisons.of(results, directory);
        if (rows.isEmpty()) {
            return;
        }
        line("why a log has a disk of its own and writes sequentially: one append at a time, µs, "
                + rows.get(0).force());
        List<String> ways =
                rows.get(0).ways().stream().map(DiskComparisons.Way::words).toList();
        StringBuilder heading = new StringBuilder(String.format(Locale.ROOT, "%-8s", ""));
        ways.forEach(words -> heading.append(String.format(Locale.ROOT, "%22s", words)));
        line(heading.toString());
        StringBuilder columns = new StringBuilder(String.format(Locale.ROOT, "%-8s", "size"));
        ways.forEach(words -> columns.append(String.format(Locale.ROOT, "%11s%11s", "p50", "p99")));
        line(columns.toString());
        for (DiskComparisons.Row row : rows) {
            StringBuilder figures = new StringBuilder(String.format(Locale.ROOT, "%-8s", Units.size(row.sizeBytes())));
            row.ways()
                    .forEach(way -> figures.append(String.format(
                            Locale.ROOT, "%11s%11s", at(way.latency(), MEDIAN), at(way.latency(), 0.99))));
            line(figures.toString());
        }
        line("");
    }

    private void verdict(DiskResults.Directory directory) {
        line("verdict: " + directory.stableStorage().sentence());
        directory.stableStorage().reasons().forEach(reason -> wrapped("  - ", reason));
        line("");
    }

    private static Optional<DiskResults.Distribution> find(
            DiskResults.Directory directory, DiskResults.Cell like, String kind, int appends) {
        return directory.cells().stream()
                .filter(cell -> cell.force().equals(like.force())
                        && cell.sizeBytes() == like.sizeBytes()
                        && cell.file().equals(kind)
                        && cell.isAlone()
                        && cell.appendsPerForce() == appends)
                .map(DiskResults.Cell::bothMicros)
                .flatMap(both -> Optional.ofNullable(both).stream())
                .findFirst();
    }

    /** A quantile, marked if it is little more than the largest sample. */
    private static String at(DiskResults.@Nullable Distribution distribution, double q) {
        if (distribution == null) {
            return "-";
        }
        return Micros.narrow(distribution.quantile(q).micros()) + (distribution.isBounded(q) ? "" : "*");
    }

    private static String interval(DiskResults.@Nullable Distribution distribution) {
        if (distribution == null) {
            return "-";
        }
        var interval = distribution.quantile(MEDIAN).interval();
        Double low = interval.low();
        Double high = interval.high();
        return (low == null ? "?" : Micros.narrow(low)) + ".." + (high == null ? "?" : Micros.narrow(high));
    }

    private static boolean known(Map<String, String> facts, String name) {
        return !fact(facts, name).equals(UNKNOWN);
    }

    private static String fact(Map<String, String> facts, String name) {
        return facts.getOrDefault(name, UNKNOWN);
    }

    private static String gibibytes(String bytes) {
        return BYTES.matcher(bytes).matches()
                ? String.format(Locale.ROOT, "%.1f", Long.parseLong(bytes) / (double) (1 << 30))
                : bytes;
    }

    private void line(String line) {
        text.append(line).append('\n');
    }

    private void wrapped(String label, String sentence) {
        TextLines.wrap(text, label, label.length(), sentence);
    }
}
