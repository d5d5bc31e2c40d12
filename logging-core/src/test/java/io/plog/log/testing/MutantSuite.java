package io.plog.log.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectIteration;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What the tests of a module do with their mutants: each deliberate defect must make its named test fail, and the same tests must
 * pass without one. {@code docs/mutants.md} says of each what is wrong, in which class, and what catches it; the module's
 * {@code src/test/mutants.txt} has the edits. {@code -Dplog.test.jvmArgs=-Dplog.mutants=R1,R2} chooses some of them.
 */
public final class MutantSuite {
    private static final Path EDITS = Path.of("src", "test", "mutants.txt");

    private final String packageName;
    private final int threads;
    private final List<String> cases;
    private final List<Mutant> mutants;

    /**
     * The mutants of one package, its subpackages included.
     *
     * @param packageName what is loaded anew for each mutant
     * @param letter with which their ids begin, and no others
     * @param threads how many tests run at the same time
     * @param cases the names of a parameterised test's cases, in order, for mutants that name one behind a colon
     * @throws AssertionError if a mutant is documented and has no edits, or the other way round
     */
    public MutantSuite(String packageName, String letter, int threads, List<String> cases) throws IOException {
        this.packageName = packageName;
        this.threads = threads;
        this.cases = List.copyOf(cases);
        this.mutants = read(letter);
    }

    private static List<Mutant> read(String letter) throws IOException {
        Map<String, List<String>> edits = new LinkedHashMap<>();
        List<String> current = new ArrayList<>();
        for (String line : Files.readAllLines(EDITS)) {
            if (line.startsWith(letter)) {
                current = new ArrayList<>();
                assertThat(edits.put(line.split(" ")[0], current))
                        .as("an earlier %s", line)
                        .isNull();
            }
            current.add(line);
        }
        Pattern row = Pattern.compile("(?m)^\\| (" + letter + "\\d+) \\| (.*) \\| `(.*)` \\| `(.*)` \\|$");
        Path document = Path.of(System.getProperty("plog.root", ".."), "docs", "mutants.md");
        List<MatchResult> rows =
                row.matcher(Files.readString(document)).results().toList();
        assertThat(rows.stream().map(each -> each.group(1)))
                .as("%s lists the mutants of %s", document, EDITS)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(edits.keySet());
        return rows.stream().map(each -> mutant(each, edits.get(each.group(1)))).toList();
    }

    private static Mutant mutant(MatchResult row, List<String> lines) {
        String[] heading = lines.get(0).split(" ");
        String text = String.join("\n", lines.subList(1, lines.size()));
        List<Mutant.Edit> edits = Pattern.compile("((?:^-.*\\n?)+)((?:^\\+.*\\n?)+)", Pattern.MULTILINE)
                .matcher(text)
                .results()
                .map(edit -> new Mutant.Edit(withoutSigns(edit.group(1)), withoutSigns(edit.group(2))))
                .toList();
        assertThat(edits).as(heading[0]).isNotEmpty();
        int tries = heading.length > 1 ? Integer.parseInt(heading[1]) : 1;
        return new Mutant(heading[0], row.group(2), row.group(3), row.group(4), tries, edits);
    }

    private static String withoutSigns(String lines) {
        return lines.replaceAll("(?m)^[-+] ?", "").strip();
    }

    /**
     * Runs each of them against its test.
     *
     * @throws AssertionError if a mutant passes
     */
    public void assertEachIsCaught() {
        List<String> chosen = List.of(System.getProperty("plog.mutants", "").split(","));
        List<Mutant> tried = mutants.stream()
                .filter(mutant -> chosen.contains("") || chosen.contains(mutant.id()))
                .toList();
        List<String> survivors = Collections.synchronizedList(new ArrayList<>());
        Parallel.forEach(tried.size(), threads, i -> {
            Mutant mutant = tried.get((int) i);
            long begin = System.nanoTime();
            boolean caught = isCaught(mutant);
            report(mutant.id() + (caught ? " caught" : " SURVIVED"), begin);
            if (!caught) {
                survivors.add(mutant.id() + ", " + mutant.defect() + ": " + mutant.caughtBy());
            }
        });
        assertThat(survivors).as("mutants that no test noticed").isEmpty();
    }

    private boolean isCaught(Mutant mutant) {
        int tries = mutant.tries();
        while (tries > 0 && passes(PatchedPackage.of(packageName, mutant), mutant.caughtBy())) {
            tries--;
        }
        return tries > 0;
    }

    /**
     * Runs the same tests on the same route with nothing changed. Without it, a test that fails for another reason, or a route that
     * breaks everything, would catch all mutants.
     *
     * @throws AssertionError if one of them fails
     */
    public void assertTestsPassWithoutADefect() {
        PatchedPackage unchanged = PatchedPackage.unchanged(
                packageName, mutants.stream().map(Mutant::file).distinct().toList());
        List<String> tests = mutants.stream().map(Mutant::caughtBy).distinct().toList();
        List<String> failed = Collections.synchronizedList(new ArrayList<>());
        Parallel.forEach(tests.size(), threads, i -> {
            String test = tests.get((int) i);
            long begin = System.nanoTime();
            boolean passes = passes(unchanged, test);
            report((passes ? "passes: " : "FAILS: ") + test, begin);
            if (!passes) {
                failed.add(test);
            }
        });
        assertThat(failed).as("tests that fail without a defect").isEmpty();
    }

    private static void report(String what, long begin) {
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        System.out.println(what + " after " + millis + " ms");
    }

    private boolean passes(PatchedPackage patched, String test) {
        String[] parts = test.split(": ", 2);
        if (parts.length > 1 && !cases.contains(parts[1])) {
            throw new AssertionError("there is no case " + parts[1]);
        }
        return patched.passes(
                parts[0],
                method -> parts.length == 1
                        ? selectMethod(method.getDeclaringClass(), method)
                        : selectIteration(selectMethod(method.getDeclaringClass(), method), cases.indexOf(parts[1])));
    }
}
