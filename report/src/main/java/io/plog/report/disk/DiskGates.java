package io.plog.report.disk;

import io.plog.report.results.Results;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Judges a disk by gates. Stateless. */
public final class DiskGates {
    /** Of the standard normal distribution, for an interval of 95 %. */
    private static final double NORMAL = 1.96;

    private DiskGates() {}

    /** How a gate came out; the order is that of weight. */
    public enum Outcome {
        /** At one cell at least, the figure is beyond the limit with its whole interval. */
        FAILED,
        /** At one cell at least, the interval holds the limit, or there is nothing to judge by. */
        UNDECIDED,
        /** At every cell, the figure is within the limit with its whole interval. */
        HOLDS;

        /** As people read it. */
        public String words() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A gate's result.
     *
     * @param cells each cell that the gate is meant for, those that decided it first
     */
    public record Judged(DiskGate gate, Outcome outcome, List<CellResult> cells) {
        /** The result in one line: the weightiest cell, and how many more there are. */
        public String sentence() {
            CellResult first = cells.get(0);
            long same = cells.stream().filter(cell -> cell.outcome() == outcome).count();
            return first.where() + ": " + first.figure()
                    + (cells.size() == 1
                            ? ""
                            : "; " + outcome.words() + " at " + same + " of " + cells.size() + " cells");
        }
    }

    /**
     * A gate at one cell.
     *
     * @param where directory, way of forcing, size and what else tells the cell from others
     * @param figure the figure with its interval
     */
    public record CellResult(String where, String figure, Outcome outcome) {}

    /**
     * Judges all gates.
     *
     * @throws IllegalArgumentException if a gate is meant for nothing that was measured; the message says what was
     */
    public static List<Judged> judge(List<DiskGate> gates, DiskResults results) {
        return gates.stream().map(gate -> judge(gate, results)).toList();
    }

    /**
     * Checks before anything is measured that every gate is about something that is to be measured.
     *
     * @throws IllegalArgumentException if one is not; the message says what is to be measured
     */
    public static void check(List<DiskGate> gates, DiskResults.Plan plan) {
        for (DiskGate gate : gates) {
            gate.force().ifPresent(force -> known(gate, "way of forcing", force, plan.forces()));
            gate.sizeBytes()
                    .ifPresent(bytes -> known(
                            gate,
                            "size",
                            Units.size(bytes),
                            plan.sizesBytes().stream().map(Units::size).toList()));
            gate.file().ifPresent(file -> known(gate, "kind of file", file, plan.files()));
            if (!gate.beside().equals("none")) {
                known(gate, "neighbour", gate.beside(), plan.beside());
            }
        }
    }

    private static void known(DiskGate gate, String what, String word, List<String> measured) {
        if (!measured.contains(word)) {
            throw new IllegalArgumentException("gate '" + gate.text() + "': the " + what + " " + word
                    + " is not measured; "
                    + (measured.isEmpty() ? "none is" : "expected one of " + String.join(", ", measured)));
        }
    }

    private static Judged judge(DiskGate gate, DiskResults results) {
        List<CellResult> cells = new ArrayList<>();
        String usual = results.plan().files().get(0);
        for (DiskResults.Directory directory : results.directories()) {
            for (DiskResults.Cell cell : directory.cells()) {
                if (gate.isMeantFor(cell, usual)) {
                    cells.add(judge(gate, directory, cell));
                }
            }
        }
        if (cells.isEmpty()) {
            throw new IllegalArgumentException("gate '" + gate.text()
                    + "': no cell that was measured is meant; a neighbour is measured with one way of forcing only, and a way"
                    + " that is not available here not at all");
        }
        cells.sort(Comparator.comparing(CellResult::outcome));
        return new Judged(gate, cells.get(0).outcome(), List.copyOf(cells));
    }

    private static CellResult judge(DiskGate gate, DiskResults.Directory directory, DiskResults.Cell cell) {
        String where = directory.path() + ", " + cell.force() + ", " + Units.size(cell.sizeBytes())
                + (gate.file().isEmpty() ? "" : ", " + cell.file())
                + (cell.isAlone() ? "" : ", beside " + cell.beside());
        DiskResults.Distribution both = cell.bothMicros();
        if (both == null) {
            return new CellResult(where, "nothing was measured", Outcome.UNDECIDED);
        }
        double value = value(gate.figure(), both);
        Optional<Results.Interval> interval = interval(gate.figure(), both);
        String figure = gate.figure() + " " + Micros.withUnit(value)
                + interval.map(ends -> " [" + end(ends.low()) + ", " + end(ends.high()) + "]")
                        .orElse("");
        return new CellResult(where, figure, outcome(gate, value, interval));
    }

    private static Outcome outcome(DiskGate gate, double value, Optional<Results.Interval> interval) {
        if (interval.isEmpty()) {
            return gate.isBeyond(value) ? Outcome.FAILED : Outcome.HOLDS;
        }
        Double low = interval.get().low();
        Double high = interval.get().high();
        // An end that the sample does not bound may lie anywhere on its side.
        boolean lowBeyond = low == null ? !gate.above() : gate.isBeyond(low);
        boolean highBeyond = high == null ? gate.above() : gate.isBeyond(high);
        return lowBeyond == highBeyond ? (lowBeyond ? Outcome.FAILED : Outcome.HOLDS) : Outcome.UNDECIDED;
    }

    private static String end(@Nullable Double micros) {
        return micros == null ? "?" : Micros.withUnit(micros);
    }

    private static double value(String figure, DiskResults.Distribution both) {
        return switch (figure) {
            case "mean" -> both.mean();
            case "max" -> both.max();
            default -> both.quantile(q(figure)).micros();
        };
    }

    /** None for the maximum: whatever was measured, a later append may take longer. */
    private static Optional<Results.Interval> interval(String figure, DiskResults.Distribution both) {
        return switch (figure) {
            case "mean" -> {
                double half = NORMAL * both.sd() / Math.sqrt(both.count());
                yield Optional.of(
                        both.count() < 2
                                ? new Results.Interval(null, null)
                                : new Results.Interval(Math.max(0, both.mean() - half), both.mean() + half));
            }
            case "max" -> Optional.empty();
            default -> Optional.of(both.quantile(q(figure)).interval());
        };
    }

    private static double q(String figure) {
        return Integer.parseInt(figure.substring(1)) / 100.0;
    }

    /** Whether one failed; with {@code strict}, also whether one is undecided. */
    public static boolean fail(List<Judged> judged, boolean strict) {
        return judged.stream()
                .anyMatch(gate -> gate.outcome() == Outcome.FAILED || (strict && gate.outcome() == Outcome.UNDECIDED));
    }

    /** A line for each gate. */
    public static String text(List<Judged> judged) {
        StringBuilder text = new StringBuilder();
        for (Judged gate : judged) {
            text.append(String.format(
                    Locale.ROOT,
                    "gate %-10s %s: %s%n",
                    gate.outcome().words(),
                    gate.gate().text(),
                    gate.sentence()));
        }
        return text.toString();
    }
}
