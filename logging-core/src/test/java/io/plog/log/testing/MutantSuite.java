package io.plog.log.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What the tests of a module do with their mutants: each deliberate defect must make its named test fail, the same tests must pass
 * without one, and the documents must list them. {@code -Dplog.test.jvmArgs=-Dplog.mutants=R1,R2} chooses some of them.
 */
public final class MutantSuite {
    private final String packageName;
    private final List<Mutant> mutants;

    /**
     * Of one package, its subpackages included; {@link Mutant#file} is relative to it.
     *
     * @param packageName what is loaded anew for each mutant
     */
    public MutantSuite(String packageName, List<Mutant> mutants) {
        this.packageName = packageName;
        this.mutants = List.copyOf(mutants);
    }

    /**
     * Runs each of them against its test.
     *
     * @throws AssertionError if a mutant passes
     */
    public void assertEachIsCaught() {
        assertThat(mutants.stream().map(Mutant::id).distinct()).hasSameSizeAs(mutants);
        List<String> chosen = List.of(System.getProperty("plog.mutants", "").split(","));
        List<String> survivors = new ArrayList<>();
        for (Mutant mutant : mutants) {
            if (!chosen.contains("") && !chosen.contains(mutant.id())) {
                continue;
            }
            long begin = System.nanoTime();
            boolean caught = !passes(PatchedPackage.of(packageName, mutant), mutant.caughtBy());
            System.out.println(mutant.id() + (caught ? " caught" : " SURVIVED") + " after "
                    + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) + " ms");
            if (!caught) {
                survivors.add(mutant.id() + ", " + mutant.defect() + ": " + mutant.caughtBy());
            }
        }
        assertThat(survivors).as("mutants that no test noticed").isEmpty();
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
        assertThat(mutants.stream().map(Mutant::caughtBy).distinct())
                .allSatisfy(test -> assertThat(passes(unchanged, test)).as(test).isTrue());
    }

    private static boolean passes(PatchedPackage patched, String test) {
        return patched.passes(test, method -> selectMethod(method.getDeclaringClass(), method));
    }

    /**
     * Compares the table in {@code docs/mutants.md}.
     *
     * @param letter with which the ids of these mutants begin, and no others
     * @throws AssertionError if it lists others, or them in other words
     */
    public void assertDocumented(String letter) throws IOException {
        Path document = Path.of(System.getProperty("plog.root", ".."), "docs", "mutants.md");
        List<String> documented;
        try (Stream<String> lines = Files.lines(document)) {
            documented = lines.filter(line -> line.matches("\\| " + letter + "[0-9]+ .*"))
                    .toList();
        }
        List<String> listed = mutants.stream().map(Mutant::tableLine).toList();
        assertThat(documented)
                .as("the table in docs/mutants.md; it should be:%n%s", String.join("\n", listed))
                .isEqualTo(listed);
    }
}
