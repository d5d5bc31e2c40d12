package io.plog.benchmarks;

import io.plog.benchmarks.journal.Contestant;
import io.plog.benchmarks.result.Cell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Options that make a plan smaller: {@code --only NAME,…}, {@code --cells 1x100,64x1024,…}, {@code --rounds N}, {@code --seconds N}. */
final class PlanOptions {
    private PlanOptions() {}

    /**
     * The plan with the options applied.
     *
     * @throws IllegalArgumentException if an option is unknown or leaves nothing to measure
     */
    static Plan apply(Plan plan, List<String> options) {
        Plan smaller = plan;
        for (int i = 0; i < options.size(); i += 2) {
            if (i + 1 == options.size()) {
                throw new IllegalArgumentException(options.get(i) + " needs a value");
            }
            smaller = apply(smaller, options.get(i), options.get(i + 1));
        }
        return smaller;
    }

    private static Plan apply(Plan plan, String option, String value) {
        List<String> values = Arrays.asList(value.split(",", -1));
        return switch (option) {
            case "--only" -> {
                List<FioMode> modes = new ArrayList<>();
                List<Contestant> contestants = new ArrayList<>();
                for (String label : values) {
                    if (!addMode(modes, label)) {
                        contestants.add(Contestant.ofLabel(label));
                    }
                }
                yield new Plan(
                        plan.name(),
                        plan.rounds(),
                        plan.mostSeconds(),
                        plan.cells(),
                        modes,
                        contestants,
                        plan.regime());
            }
            case "--cells" -> {
                List<Cell> cells = plan.cells().stream()
                        .filter(cell -> values.contains(cell.outstanding() + "x" + cell.payloadBytes()))
                        .toList();
                if (cells.isEmpty()) {
                    throw new IllegalArgumentException("--cells " + value + ": expected some of "
                            + String.join(
                                    ",",
                                    plan.cells().stream()
                                            .map(cell -> cell.outstanding() + "x" + cell.payloadBytes())
                                            .toList()));
                }
                yield new Plan(
                        plan.name(),
                        plan.rounds(),
                        plan.mostSeconds(),
                        cells,
                        plan.fioModes(),
                        plan.contestants(),
                        plan.regime());
            }
            case "--rounds" ->
                new Plan(
                        plan.name(),
                        Integer.parseInt(value),
                        plan.mostSeconds(),
                        plan.cells(),
                        plan.fioModes(),
                        plan.contestants(),
                        plan.regime());
            case "--seconds" ->
                new Plan(
                        plan.name(),
                        plan.rounds(),
                        Double.parseDouble(value),
                        plan.cells(),
                        plan.fioModes(),
                        plan.contestants(),
                        plan.regime());
            default -> throw new IllegalArgumentException("unknown option " + option);
        };
    }

    private static boolean addMode(List<FioMode> modes, String label) {
        for (FioMode mode : FioMode.values()) {
            if (mode.label().equals(label) || label.equals("fio")) {
                modes.add(mode);
            }
        }
        return label.startsWith("fio");
    }
}
