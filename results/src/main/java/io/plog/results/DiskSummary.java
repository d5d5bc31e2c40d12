package io.plog.results;

import io.plog.measure.disk.LikeProduct;
import io.plog.measure.samples.RunInfo.Target;
import io.plog.results.cells.DiskFacts;
import io.plog.results.model.DiskCells;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Distribution;
import io.plog.results.model.Wording;
import io.plog.stats.Estimate;
import io.plog.stats.Percentile;
import io.plog.stats.text.Micros;
import io.plog.stats.text.TextLines;
import io.plog.stats.text.Units;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a durable append costs in each directory, as text: a row for each way of forcing, and a line that says it all to people who
 * were not there.
 */
public final class DiskSummary {
    /** The fact of the client with the sentence of the product that a disk was measured for. */
    public static final String PRODUCT_FACT = "product";

    /** So many numbers of appends that share a force have a column. */
    private static final int MOST_RATES = 3;

    private final Results results;
    private final StringBuilder text;
    private final List<Integer> shared;
    private boolean unbounded;
    private boolean unsteady;

    private DiskSummary(Results results, StringBuilder text) {
        this.results = results;
        this.text = text;
        List<Integer> all = results.cells().stream()
                .map(DiskCells::appends)
                .distinct()
                .sorted()
                .toList();
        shared = all.size() <= MOST_RATES
                ? all
                : IntStream.range(0, MOST_RATES)
                        .mapToObj(i -> all.get(i * (all.size() - 1) / (MOST_RATES - 1)))
                        .toList();
    }

    /** Appends the table of each directory. */
    static void table(Results results, StringBuilder text) {
        new DiskSummary(results, text).table();
    }

    /** Appends a line for each directory that holds what others need to know. */
    static void toPaste(Results results, StringBuilder text) {
        text.append("To paste:\n");
        for (Results.Target directory : results.environment().targets()) {
            text.append(new DiskSummary(results, text).line(directory)).append('\n');
        }
        text.append('\n');
    }

    private void table() {
        for (Results.Target directory : results.environment().targets()) {
            List<Cell> rows = rows(directory);
            text.append(String.format(
                    Locale.ROOT, "%-74s%s\n", TextLines.cutFront(directory.name(), 73), "appends a second"));
            row(
                    "append",
                    "force",
                    "p50, µs",
                    "p99, µs",
                    "95 % interval",
                    shared.stream()
                            .map(appends -> rate(appends == 1 ? "alone" : "by " + appends))
                            .collect(Collectors.joining()));
            int bytes = -1;
            for (Cell cell : rows) {
                Distribution both = Objects.requireNonNull(cell.logMicros());
                row(
                        cell.payloadBytes() == bytes ? "" : Units.size(cell.payloadBytes()),
                        name(cell),
                        Micros.text(both.p50()),
                        Micros.text(both.p99()),
                        p99(both),
                        shared.stream()
                                .map(appends -> rate(rate(cell, appends)))
                                .collect(Collectors.joining()));
                bytes = cell.payloadBytes();
            }
            text.append('\n');
        }
        if (unbounded) {
            TextLines.wrap(text, "? ", 2, "no upper bound: too few samples, or too unlike each other");
        }
        if (unsteady) {
            TextLines.wrap(text, TerminalSummary.UNSTEADY + " ", 2, TerminalSummary.NOT_STEADY);
        }
        if (results.cells().stream().anyMatch(cell -> !cell.forceLabel().forces())) {
            TextLines.wrap(text, "* ", 2, "not durable: what is only written can be lost with the power");
        }
        results.cost().stream()
                .filter(cost -> cost.target() == null)
                .forEach(compared -> TextLines.wrap(text, "", 0, compared.sentence()));
        LikeProduct.ofSentence(results.environment().client().get(PRODUCT_FACT)).ifPresent(this::answer);
    }

    /** What a product wants, and what it gets in each directory. */
    private void answer(LikeProduct product) {
        TextLines.wrap(text, "", 0, product.sentence() + ".");
        for (Results.Target directory : results.environment().targets()) {
            usual(directory)
                    .filter(cell -> cell.force().equals(product.force().label()))
                    .map(cell -> Objects.requireNonNull(cell.logMicros())
                            .at(Percentile.P99)
                            .estimate())
                    .map(p99 -> directory.name() + " gives it " + Wording.micros(p99)
                            + verdict(p99, product.mostP99Micros()) + ".")
                    .forEach(sentence -> TextLines.wrap(text, "", 0, sentence));
        }
    }

    private static String verdict(Estimate p99, double most) {
        if (most == 0) {
            return " at the 99th percentile";
        }
        boolean within = p99.high() != null && p99.high() < most;
        boolean beyond = p99.low() != null && p99.low() >= most;
        return within ? ": fast enough" : beyond ? ": too slow" : ": undecided, as the interval reaches over the limit";
    }

    private void row(Object... columns) {
        String row =
                String.format(Locale.ROOT, "%-8s %-24s %8s %8s %21s%s", columns).stripTrailing();
        text.append(TextLines.cut(row, TextLines.WIDTH)).append('\n');
    }

    private static String rate(String shown) {
        return String.format(Locale.ROOT, " %8s", shown);
    }

    /** One append at a time. */
    private List<Cell> rows(Results.Target directory) {
        return results.cells().stream()
                .filter(cell -> cell.target().equals(directory.name())
                        && DiskCells.appends(cell) == 1
                        && cell.logMicros() != null)
                .toList();
    }

    /** The way of forcing, and what else is unlike the first cell. */
    private String name(Cell cell) {
        String file = cell.dimension(Target.FILE);
        unsteady |= TerminalSummary.isUnsteady(cell);
        return cell.force()
                + (cell.forceLabel().forces() ? "" : "*")
                + (file.equals(DiskCells.usualFile(results.cells())) ? "" : ", " + file)
                + (DiskCells.isAlone(cell) ? "" : ", next to " + cell.dimension(Target.NEIGHBOUR))
                + (TerminalSummary.isUnsteady(cell) ? " " + TerminalSummary.UNSTEADY : "");
    }

    private String p99(Distribution both) {
        Estimate p99 = both.at(Percentile.P99).estimate();
        unbounded |= p99.high() == null;
        return Wording.ends(p99, Micros::text);
    }

    /** How many appends a second there are in groups of so many, by the mean; empty if that was not measured. */
    private String rate(Cell alone, int appends) {
        return results.cells().stream()
                .filter(cell -> cell.target().equals(alone.target())
                        && cell.force().equals(alone.force())
                        && cell.payloadBytes() == alone.payloadBytes()
                        && cell.dimension(Target.FILE).equals(alone.dimension(Target.FILE))
                        && cell.dimension(Target.NEIGHBOUR).equals(alone.dimension(Target.NEIGHBOUR))
                        && DiskCells.appends(cell) == appends
                        && cell.logMicros() != null)
                .findFirst()
                .map(cell -> perSecond(
                        appends * 1e6 / Objects.requireNonNull(cell.logMicros()).mean()))
                .orElse("");
    }

    private static String perSecond(double rate) {
        return rate < 999_500
                ? Units.count(Math.round(Units.significant(rate, 3)))
                : Units.significantDigits(rate / 1e6, 3) + " M";
    }

    /** One append at a time in the usual kind of file, while nobody else uses the disk. */
    private Stream<Cell> usual(Results.Target directory) {
        DiskCells cells = Objects.requireNonNull(
                DiskCells.byDirectory(List.of(directory), results.cells()).get(directory.name()));
        return cells.usual().stream();
    }

    private String figures(Cell cell) {
        Distribution both = Objects.requireNonNull(cell.logMicros());
        StringBuilder figures = new StringBuilder(
                cell.force() + " " + Units.size(cell.payloadBytes()) + " p50 " + Micros.text(both.p50()) + " p99 "
                        + Wording.of(both.at(Percentile.P99).estimate(), Micros::text) + " µs");
        for (int appends : shared) {
            String rate = rate(cell, appends);
            if (!rate.isEmpty()) {
                figures.append(", " + rate + "/s " + (appends == 1 ? "alone" : "by " + appends));
            }
        }
        return figures.toString();
    }

    private String line(Results.Target directory) {
        DiskFacts disk = new DiskFacts(directory.facts());
        String figures = usual(directory)
                .filter(cell -> cell.forceLabel().forces())
                .map(this::figures)
                .collect(Collectors.joining("; "));
        String verdict = results.stableStorage().stream()
                .filter(found -> found.target().equals(directory.name()))
                .map(found -> "; stable storage: " + found.sentence())
                .collect(Collectors.joining());
        return "plog disk, " + disk.place() + ": " + figures + verdict + "; "
                + results.environment().client().getOrDefault("os", "") + "; plog " + results.plogVersion() + " "
                + results.environment().client().getOrDefault("commit", "") + ", seed "
                + results.plan().seed() + (results.isValid() ? "" : "; NOT VALID")
                + (results.partial().partial() ? "; partial" : "");
    }
}
