package io.plog.report.compare;

import io.plog.measure.samples.RunInfo;
import io.plog.report.cells.Facts;
import io.plog.stats.text.ClosestName;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Which cells of a run a gate is meant for. Stateless. */
final class GateScope {
    private GateScope() {}

    record Cell(String target, int payloadBytes) {}

    /**
     * Checks that every gate means something in this run.
     *
     * @throws IllegalArgumentException if one names a target or a size that was not measured, asks for what {@code off} does not
     *     have, or needs a baseline that is not there; the message says what there is
     */
    static void check(List<Gate> gates, RunInfo run, boolean hasBaseline) {
        for (Gate gate : gates) {
            if (gate.relative() && !hasBaseline) {
                throw new IllegalArgumentException(
                        "gate '" + gate.text() + "': its limit is a multiple of a baseline, and"
                                + " there is none; give one, or a time as 500us");
            }
            gate.target().ifPresent(name -> checkTarget(gate, name, run));
            gate.payloadBytes().ifPresent(bytes -> checkSize(gate, bytes, run));
        }
    }

    private static void checkTarget(Gate gate, String name, RunInfo run) {
        List<String> known = run.plan().targets();
        if (!known.contains(name)) {
            throw new IllegalArgumentException("gate '" + gate.text() + "': the run has no target " + name
                    + ClosestName.to(name, known)
                            .map(nearest -> "; did you mean " + nearest + "?")
                            .orElse("")
                    + " Expected one of " + String.join(", ", known));
        }
        if (gate.measure() == Measure.LOGGING && isOff(run, name)) {
            throw new IllegalArgumentException(
                    "gate '" + gate.text() + "': target " + name + " is not logged, so it has no logging latency");
        }
    }

    private static void checkSize(Gate gate, int bytes, RunInfo run) {
        if (!run.plan().sizesBytes().contains(bytes)) {
            throw new IllegalArgumentException("gate '" + gate.text() + "': the run has no size " + Units.size(bytes)
                    + "; expected one of "
                    + run.plan().sizesBytes().stream()
                            .distinct()
                            .sorted()
                            .map(Units::size)
                            .collect(Collectors.joining(", ")));
        }
    }

    /**
     * The cells by size and target.
     *
     * @param pairs what is compared; a gate relative to the baseline is meant for nothing else, unless it names a target
     */
    static List<Cell> of(Gate gate, RunInfo run, List<TargetPair> pairs) {
        List<Cell> cells = new ArrayList<>();
        for (int bytes : run.plan().sizesBytes().stream().distinct().sorted().toList()) {
            for (String target : run.plan().targets()) {
                boolean named = gate.target().map(target::equals).orElse(true)
                        && (gate.payloadBytes().isEmpty() || gate.payloadBytes().getAsInt() == bytes);
                boolean compared = gate.target().isPresent()
                        || pairs.isEmpty()
                        || pairs.stream().anyMatch(pair -> pair.b().equals(target));
                if (named && compared && !(gate.measure() == Measure.LOGGING && isOff(run, target))) {
                    cells.add(new Cell(target, bytes));
                }
            }
        }
        return cells;
    }

    private static boolean isOff(RunInfo run, String target) {
        return Facts.isOff(TargetPair.target(run, target));
    }
}
