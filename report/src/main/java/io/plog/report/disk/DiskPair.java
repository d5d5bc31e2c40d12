package io.plog.report.disk;

import io.plog.report.results.Results;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Two disks side by side: each cell of one append at a time that both have.
 *
 * @param a the first disk's name; B is held against it
 * @param b the second disk's name
 * @param rows in the order in which B was measured
 */
public record DiskPair(String a, String b, List<Row> rows) {

    /**
     * A cell of both.
     *
     * @param what way of forcing, size, kind of file and neighbour
     */
    public record Row(String what, DiskResults.Distribution a, DiskResults.Distribution b) {
        /** B's median by A's. */
        double ratio() {
            return b.p50() / a.p50();
        }

        /** {@code slower}, {@code faster}, or {@code no difference} where the 95 % intervals of the medians overlap. */
        public String verdict() {
            Results.Interval first = a.quantile(0.5).interval();
            Results.Interval second = b.quantile(0.5).interval();
            if (isAbove(second.low(), first.high())) {
                return "slower";
            }
            return isAbove(first.low(), second.high()) ? "faster" : "no difference";
        }

        private static boolean isAbove(@Nullable Double low, @Nullable Double high) {
            return low != null && high != null && low > high;
        }

        /** The cells of a table's row. */
        public List<String> texts() {
            return List.of(
                    what,
                    Micros.text(a.p50()),
                    Micros.text(b.p50()),
                    Units.ratio(ratio()),
                    Micros.text(a.p99()) + (a.isBounded(0.99) ? "" : "*"),
                    Micros.text(b.p99()) + (b.isBounded(0.99) ? "" : "*"),
                    verdict());
        }
    }

    /**
     * The first directory of B against the first of A; of one run with two directories, the second against the first.
     *
     * @throws IllegalArgumentException if they have no cell in common
     */
    public static DiskPair of(DiskResults.Directory a, DiskResults.Directory b, String nameA, String nameB) {
        List<Row> rows = new ArrayList<>();
        for (DiskResults.Cell cell : b.cells()) {
            for (DiskResults.Cell other : a.cells()) {
                DiskResults.Distribution first = other.bothMicros();
                DiskResults.Distribution second = cell.bothMicros();
                if (cell.appendsPerForce() == 1 && isSame(cell, other) && first != null && second != null) {
                    rows.add(new Row(what(cell), first, second));
                }
            }
        }
        if (rows.isEmpty()) {
            throw new IllegalArgumentException(
                    nameA + " and " + nameB
                            + " have no way of forcing and size in common: measure both with the same --force, --sizes and --files");
        }
        return new DiskPair(nameA, nameB, List.copyOf(rows));
    }

    private static boolean isSame(DiskResults.Cell a, DiskResults.Cell b) {
        return a.force().equals(b.force())
                && a.sizeBytes() == b.sizeBytes()
                && a.file().equals(b.file())
                && a.appendsPerForce() == b.appendsPerForce()
                && a.beside().equals(b.beside());
    }

    private static String what(DiskResults.Cell cell) {
        return cell.force() + " " + Units.size(cell.sizeBytes()) + " " + cell.file()
                + (cell.isAlone() ? "" : " + " + cell.beside());
    }

    /** The columns of a table. */
    public static List<String> columns() {
        return List.of("µs; write and force together", "A, p50", "B, p50", "B / A", "A, p99", "B, p99", "B is");
    }

    /** What the table says, in one sentence. */
    public String sentence() {
        long slower =
                rows.stream().filter(row -> row.verdict().equals("slower")).count();
        long faster =
                rows.stream().filter(row -> row.verdict().equals("faster")).count();
        return "B (" + b + ") is slower than A (" + a + ") in " + slower + " of " + rows.size() + " cells, faster in "
                + faster + ", and no difference was seen in " + (rows.size() - slower - faster)
                + ". Two medians differ where their 95 % intervals lie apart.";
    }

    /** The table and the sentence as text. */
    public String text() {
        StringBuilder text = new StringBuilder();
        line(text, columns());
        rows.forEach(row -> line(text, row.texts()));
        return text.append('\n').append(sentence()).append('\n').toString();
    }

    private static void line(StringBuilder text, List<String> cells) {
        text.append(String.format(
                        Locale.ROOT,
                        "%-38s%9s%9s%8s%9s%9s  %s",
                        cells.get(0),
                        cells.get(1),
                        cells.get(2),
                        cells.get(3),
                        cells.get(4),
                        cells.get(5),
                        cells.get(6)))
                .append('\n');
    }
}
