package io.plog.e2e.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Keeps knots small: sets of top-level classes that all need each other, directly or through others of the set. A developer who reads
 * one class of a knot has to read all of it.
 */
final class KnotsTest {
    /** A package with those below it, and how many classes its largest knot may have. */
    @ParameterizedTest
    @CsvSource({"io.plog.log, 5", "io.plog.server, 8"})
    void noKnotHasMoreClassesThan(String module, int most) {
        JavaClasses classes = PlogClasses.in(module);
        assertThat(classes).as("classes of " + module).isNotEmpty();
        assertThat(knots(dependencies(classes)))
                .as("knots of " + module)
                .allSatisfy(knot -> assertThat(knot).hasSizeLessThanOrEqualTo(most));
    }

    @Test
    void aKnotIsFoundAndWhatOnlyHangsOnItIsNot() {
        Map<String, Set<String>> graph =
                Map.of("a", Set.of("b"), "b", Set.of("c"), "c", Set.of("a", "d"), "d", Set.of(), "user", Set.of("a"));
        assertThat(knots(graph)).containsExactly(new TreeSet<>(Set.of("a", "b", "c")));
    }

    /** What each top-level class needs, among these; a nested class counts as the one that holds it. */
    private static Map<String, Set<String>> dependencies(JavaClasses classes) {
        Map<String, Set<String>> all = new TreeMap<>();
        for (JavaClass each : classes) {
            all.put(topLevel(each), new TreeSet<>());
        }
        for (JavaClass each : classes) {
            for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
                String target = topLevel(dependency.getTargetClass().getBaseComponentType());
                if (all.containsKey(target)) {
                    Objects.requireNonNull(all.get(topLevel(each))).add(target);
                }
            }
        }
        return all;
    }

    private static String topLevel(JavaClass nested) {
        String name = nested.getName();
        int dollar = name.indexOf('$');
        return dollar < 0 ? name : name.substring(0, dollar);
    }

    /** The sets of two and more that reach each other, the largest first. */
    private static List<Set<String>> knots(Map<String, Set<String>> graph) {
        Map<String, Set<String>> reached = new TreeMap<>();
        graph.keySet().forEach(each -> reached.put(each, reachedFrom(each, graph)));
        List<Set<String>> knots = new ArrayList<>();
        Set<String> done = new HashSet<>();
        reached.forEach((each, itsReach) -> {
            Set<String> knot = new TreeSet<>(itsReach);
            knot.removeIf(other -> !reached.getOrDefault(other, Set.of()).contains(each));
            if (knot.size() > 1 && done.addAll(knot)) {
                knots.add(knot);
            }
        });
        knots.sort(Comparator.<Set<String>>comparingInt(Set::size).reversed());
        return knots;
    }

    private static Set<String> reachedFrom(String start, Map<String, Set<String>> graph) {
        Set<String> reached = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty()) {
            for (String next : graph.getOrDefault(open.remove(), Set.of())) {
                if (reached.add(next)) {
                    open.add(next);
                }
            }
        }
        return reached;
    }
}
