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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What the tests of a module do with their mutants: each deliberate defect must make its named test fail, and the same tests must
 * pass without one. The module's {@code src/test/mutants.txt} lists them. {@code -Dplog.test.jvmArgs=-Dplog.mutants=R1,R2} chooses
 * some of them.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
public abstract class MutantSuite {
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
     * @throws AssertionError if the list has an entry that is not whole, or one twice
     */
    protected MutantSuite(String packageName, String letter, int threads, List<String> cases) throws IOException {
        this.packageName = packageName;
        this.threads = threads;
        this.cases = List.copyOf(cases);
        this.mutants = read(letter);
    }

    private static List<Mutant> read(String letter) throws IOException {
        Pattern entry = Pattern.compile(
                "(?m)^(" + letter + "\\d+) (.*)\\nin (\\w+), caught by (.*?)(?:, (\\d+) tries)?\\n((?:[-+].*\\n?)+)");
        List<Mutant> read = entry.matcher(Files.readString(EDITS))
                .results()
                .map(MutantSuite::mutant)
                .toList();
        assertThat(read.stream().map(Mutant::id))
                .as("the mutants of %s, each with a heading, a line \"in CLASS, caught by TEST\" and its edits", EDITS)
                .doesNotHaveDuplicates()
                .containsExactlyElementsOf(idsOf(letter));
        return read;
    }

    private static List<String> idsOf(String letter) throws IOException {
        return Files.readAllLines(EDITS).stream()
                .filter(line -> line.startsWith(letter))
                .map(line -> line.split(" ")[0])
                .toList();
    }

    private static Mutant mutant(MatchResult entry) {
        List<Mutant.Edit> edits = Pattern.compile("((?:^-.*\\n?)+)((?:^\\+.*\\n?)+)", Pattern.MULTILINE)
                .matcher(entry.group(6))
                .results()
                .map(edit -> new Mutant.Edit(withoutSigns(edit.group(1)), withoutSigns(edit.group(2))))
                .toList();
        assertThat(edits).as(entry.group(1)).isNotEmpty();
        int tries = entry.group(5) == null ? 1 : Integer.parseInt(entry.group(5));
        return new Mutant(entry.group(1), entry.group(2), entry.group(3), entry.group(4), tries, edits);
    }

    private static String withoutSigns(String lines) {
        return lines.replaceAll("(?m)^[-+] ?", "").strip();
    }

    /**
     * Compiles each of them, and runs nothing: the edits follow the sources. Those of different classes are compiled together: to load
     * what they use takes longer than they do.
     */
    @Test
    protected void everyMutantFitsItsClass() {
        List<Mutant> left = new ArrayList<>(mutants);
        while (!left.isEmpty()) {
            Map<String, Mutant> oneOfEachClass = new LinkedHashMap<>();
            left.forEach(mutant -> oneOfEachClass.putIfAbsent(mutant.file(), mutant));
            left.removeAll(oneOfEachClass.values());
            PatchedPackage.checkThatAllCompile(packageName, List.copyOf(oneOfEachClass.values()));
        }
    }

    @Test
    @Tag("slow")
    protected void everyMutantIsCaughtByItsTest() {
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
     */
    @Test
    @Tag("slow")
    protected void withoutADefectTheSameTestsPassOnTheSameRoute() {
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
