package io.plog.e2e.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import io.plog.e2e.support.DiskDirectory;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Keeps knots small: sets of top-level classes that all need each other, directly or through others of the set. A developer who reads
 * one class of a knot has to read all of it. A constant leaves no trace in the class that uses it, so these are read from the sources.
 */
final class KnotsTest {
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*");
    private static final Pattern CONSTANT = Pattern.compile("\\b([A-Z]\\w*)\\.[A-Z][A-Z0-9_]*\\b");

    /** A module, its packages, and how many classes its largest knot may have. */
    @ParameterizedTest
    @CsvSource({"logging-core, io.plog.log, 5", "server, io.plog.server, 8"})
    void noKnotHasMoreClassesThan(String module, String packages, int most) throws Exception {
        JavaClasses classes = PlogClasses.in(packages);
        assertThat(classes).as("classes of " + module).isNotEmpty();
        Map<String, Set<String>> all = dependencies(classes);
        Map<String, Set<String>> constants = constantsUsed(module, all.keySet());
        assertThat(constants).as("users of constants in " + module).isNotEmpty();
        constants.forEach((user, used) -> Objects.requireNonNull(all.get(user)).addAll(used));
        assertThat(knots(all))
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

    /** By class, those of which it names a constant. */
    private static Map<String, Set<String>> constantsUsed(String module, Set<String> classes) throws IOException {
        Map<String, String> bySimpleName = new TreeMap<>();
        classes.forEach(each -> bySimpleName.put(each.substring(each.lastIndexOf('.') + 1), each));
        Map<String, Set<String>> all = new TreeMap<>();
        Path sources = DiskDirectory.root().resolve(module).resolve("src/main/java");
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                String name = sources.relativize(file).toString().replace(File.separatorChar, '.');
                String user = name.substring(0, name.length() - ".java".length());
                String code = COMMENT.matcher(Files.readString(file)).replaceAll("");
                for (String used : CONSTANT.matcher(code)
                        .results()
                        .map(match -> match.group(1))
                        .toList()) {
                    String target = bySimpleName.getOrDefault(used, user);
                    if (!target.equals(user)) {
                        all.computeIfAbsent(user, unused -> new TreeSet<>()).add(target);
                    }
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
