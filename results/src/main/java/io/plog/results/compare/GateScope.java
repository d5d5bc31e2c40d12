package io.plog.results.compare;

import io.plog.stats.text.ClosestName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Which of several cells a gate is meant for. Stateless. */
final class GateScope {
    private GateScope() {}

    /**
     * Those that have its figure and every value that it names, at least one.
     *
     * @throws IllegalArgumentException if none has the figure, or the gate names a dimension or a value that none of them has, or
     *     values that none has together; the message says what there is
     */
    static List<MeasuredCell> of(Gate gate, List<MeasuredCell> all) {
        Figure figure = gate.figure();
        List<MeasuredCell> cells = all.stream()
                .filter(cell -> figure.isOfLoad() ? !cell.loads().isEmpty() : cell.target() != null)
                .toList();
        if (cells.isEmpty() && figure.isOfLoad()) {
            throw refused(gate, figure.name() + " is a figure of a load, and this is none");
        }
        List<Map<String, String>> dimensions =
                cells.stream().map(MeasuredCell::dimensions).toList();
        gate.where().forEach((name, value) -> check(gate, dimensions, name, value));
        List<MeasuredCell> named = cells.stream()
                .filter(cell ->
                        cell.dimensions().entrySet().containsAll(gate.where().entrySet()))
                .toList();
        if (named.isEmpty()) {
            throw refused(gate, "no cell that was measured has all that it names");
        }
        return figure.latency() == null
                ? named
                : withLatency(gate, named, figure.latency().measure());
    }

    private static List<MeasuredCell> withLatency(Gate gate, List<MeasuredCell> named, Measure measure) {
        List<MeasuredCell> found =
                named.stream().filter(cell -> cell.has(measure)).toList();
        if (found.isEmpty()) {
            throw refused(
                    gate,
                    "what it names "
                            + (measure == Measure.END_TO_END
                                    ? "is an append without a request, so it has no latency end to end; its own is log"
                                    : "is not logged, so it has no " + measure.words() + " latency"));
        }
        return found;
    }

    private static void check(Gate gate, List<Map<String, String>> cells, String name, String value) {
        Set<String> names = new LinkedHashSet<>();
        Set<String> values = new LinkedHashSet<>();
        for (Map<String, String> cell : cells) {
            names.addAll(cell.keySet());
            String found = cell.get(name);
            if (found != null) {
                values.add(MeasuredCell.words(name, found));
            }
        }
        if (!names.contains(name)) {
            throw unknown(gate, "dimension " + name, name, names);
        }
        String words = MeasuredCell.words(name, value);
        if (!values.contains(words)) {
            throw unknown(gate, name + " " + words, words, values);
        }
    }

    private static IllegalArgumentException unknown(Gate gate, String what, String name, Set<String> known) {
        return refused(
                gate,
                "there is no " + what
                        + ClosestName.to(name, new ArrayList<>(known))
                                .map(nearest -> "; did you mean " + nearest + "?")
                                .orElse(".")
                        + " Expected one of " + known.stream().collect(Collectors.joining(", ")));
    }

    static IllegalArgumentException refused(Gate gate, String why) {
        return new IllegalArgumentException("gate '" + gate.text() + "': " + why);
    }
}
