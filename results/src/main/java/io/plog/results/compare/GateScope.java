package io.plog.results.compare;

import io.plog.stats.text.ClosestName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which of several cells a gate is meant for. Stateless. */
final class GateScope {
    private GateScope() {}

    /**
     * Those that have every value that the gate names, at least one.
     *
     * @param dimensions what distinguishes a cell from others
     * @throws IllegalArgumentException if the gate names a dimension or a value that none of them has, or values that none has
     *     together; the message says what there is
     */
    static <T> List<T> of(Gate gate, List<T> cells, Function<T, Map<String, String>> dimensions) {
        List<Map<String, String>> all = cells.stream().map(dimensions).toList();
        gate.where().forEach((name, value) -> check(gate, all, name, value));
        List<T> found = cells.stream()
                .filter(cell -> dimensions
                        .apply(cell)
                        .entrySet()
                        .containsAll(gate.where().entrySet()))
                .toList();
        if (found.isEmpty()) {
            throw refused(gate, "no cell that was measured has all that it names");
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
