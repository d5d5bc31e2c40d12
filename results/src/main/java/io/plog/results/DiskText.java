package io.plog.results;

import io.plog.measure.disk.FileKind;
import io.plog.measure.disk.MeasuredDirectory;
import io.plog.measure.disk.Neighbour;
import io.plog.measure.samples.RunInfo.Target;
import io.plog.results.model.DiskCells;
import io.plog.results.model.DiskCells.Circumstance;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Distribution;
import io.plog.stats.Percentile;
import io.plog.stats.text.Micros;
import io.plog.stats.text.TextLines;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Directories as text for a terminal: facts, figures and the verdict of each. */
final class DiskText {
    private static final String UNKNOWN = "unknown";

    /** Facts are texts: what stands there may be no number. */
    private static final Pattern BYTES = Pattern.compile("\\d{1,18}");

    private final StringBuilder text;
    private final Results results;

    private DiskText(StringBuilder text, Results results) {
        this.text = text;
        this.results = results;
    }

    static void append(StringBuilder text, Results results) {
        DiskText disks = new DiskText(text, results);
        Map<String, DiskCells> all = DiskCells.byDirectory(results.environment().targets(), results.cells());
        for (Results.Target directory : results.environment().targets()) {
            DiskCells cells = Objects.requireNonNull(all.get(directory.name()));
            disks.facts(directory);
            disks.singles(cells);
            disks.shared(cells);
            disks.circumstances(cells);
            disks.verdict(directory);
        }
    }

    private void facts(Results.Target directory) {
        Map<String, String> facts = directory.facts();
        line(directory.name());
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
        facts.forEach((name, what) -> {
            if (name.startsWith(MeasuredDirectory.WAY)) {
                String force = name.substring(MeasuredDirectory.WAY.length());
                wrapped(String.format(Locale.ROOT, "  %-13s", force), what);
            }
        });
        line("");
    }

    /** One append at a time: what it takes from the write to the end of the force. */
    private void singles(DiskCells cells) {
        String first = DiskCells.usualFile(results.cells());
        String second = cells.all().stream()
                .map(cell -> cell.dimension(Target.FILE))
                .filter(file -> !file.equals(first) && !file.equals(FileKind.RANDOM.label()))
                .findFirst()
                .orElse("");
        line("one append at a time, µs");
        new TextTable(text, -23, -52, 1).row("", first + " file", second.isEmpty() ? "" : second + " file");
        TextTable table = new TextTable(text, -7, -9, 4, 7, 7, 7, 13, 7, 7, 7, 7, 7);
        table.row("size", "force", "n", "write", "force", "p50", "95 % of p50", "p95", "p99", "max", "p50", "p99");
        int size = -1;
        for (Cell cell : cells.usual()) {
            Distribution other = cells.like(cell, second, 1, Neighbour.NONE.label())
                    .map(Cell::logMicros)
                    .orElse(null);
            table.row(
                    cell.payloadBytes() == size ? "" : Units.size(cell.payloadBytes()),
                    cell.force(),
                    cell.count(),
                    TextTable.bounded(cell.writeMicros(), Percentile.P50),
                    DiskCells.isForcedByCall(cell) ? TextTable.bounded(cell.forceMicros(), Percentile.P50) : "-",
                    TextTable.bounded(cell.logMicros(), Percentile.P50),
                    TextTable.interval(cell.logMicros(), Percentile.P50),
                    TextTable.bounded(cell.logMicros(), Percentile.P95),
                    TextTable.bounded(cell.logMicros(), Percentile.P99),
                    TextTable.figure(cell.logMicros(), Micros::narrow, Distribution::max),
                    second.isEmpty() ? "" : TextTable.bounded(other, Percentile.P50),
                    second.isEmpty() ? "" : TextTable.bounded(other, Percentile.P99));
            size = cell.payloadBytes();
        }
        line("write, force: medians of the two alone; the rest is of both together. * too few samples to bound it");
        line("");
    }

    /** What an append pays of a shared force. */
    private void shared(DiskCells cells) {
        String file = DiskCells.usualFile(results.cells());
        int[] depths = cells.all().stream()
                .mapToInt(DiskCells::appends)
                .distinct()
                .sorted()
                .toArray();
        if (depths.length < 2) {
            return;
        }
        line("appends that share a force, µs each (median time of the group by their number), " + file + " file");
        TextTable table = new TextTable(
                text,
                IntStream.concat(
                                IntStream.of(-7, -10),
                                IntStream.range(0, depths.length).map(i -> 8))
                        .toArray());
        table.row(row(
                "size",
                "force",
                Arrays.stream(depths).mapToObj(Integer::toString).toList()));
        int size = -1;
        for (Cell cell : cells.usual()) {
            List<String> each = new ArrayList<>();
            for (int depth : depths) {
                each.add(cells.like(cell, file, depth, Neighbour.NONE.label())
                        .map(group -> TextTable.figure(group.logMicros(), Micros::narrow, both -> both.p50() / depth))
                        .orElse("-"));
            }
            table.row(row(cell.payloadBytes() == size ? "" : Units.size(cell.payloadBytes()), cell.force(), each));
            size = cell.payloadBytes();
        }
        line("");
    }

    private static Object[] row(String size, String force, List<String> figures) {
        List<Object> cells = new ArrayList<>(List.of(size, force));
        cells.addAll(figures);
        return cells.toArray();
    }

    /** What a log pays that is not alone on its disk, or does not write sequentially. */
    private void circumstances(DiskCells cells) {
        List<List<Circumstance>> rows = cells.circumstances();
        if (rows.isEmpty()) {
            return;
        }
        line("why a log has a disk of its own and writes sequentially: one append at a time, µs, "
                + rows.get(0).get(0).cell().force());
        TextTable table = new TextTable(text, -8, -22, 9, 9, 8);
        table.row("size", "", "p50", "p99", "n");
        for (List<Circumstance> row : rows) {
            String size = Units.size(row.get(0).cell().payloadBytes());
            for (Circumstance way : row) {
                Cell cell = way.cell();
                table.row(
                        size,
                        way.words(),
                        TextTable.bounded(cell.logMicros(), Percentile.P50),
                        TextTable.bounded(cell.logMicros(), Percentile.P99),
                        Units.count(cell.count()));
                size = ""; // once for each block of rows
            }
        }
        line("");
    }

    private void verdict(Results.Target directory) {
        results.stableStorage().stream()
                .filter(verdict -> verdict.target().equals(directory.name()))
                .forEach(verdict -> {
                    line("verdict: " + verdict.sentence());
                    verdict.reasons().forEach(reason -> wrapped("  - ", reason));
                    line("");
                });
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
