package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.testing.Mutant;
import io.plog.log.testing.Parallel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The tests are tested: each of a list of deliberate defects must make a named test fail. The defect is put into the source
 * of one class, compiled in memory, and run with the rest of the library in a class loader of its own, so nothing of it can
 * get into what is built. {@code docs/mutants.md} is this list.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class MutantTest {
    private static final int LEAST = 20;

    /** Its defect shows only where the compiler came late, or early: a test of it that passes says little, and is repeated. */
    private static final String OF_THE_COMPILER = "M90";

    /**
     * The crash tests with few crashes during recovery, which are most of the work, and always the same ones: each defect must
     * be noticed by them already. At their usual length these tests run by themselves in the same build.
     */
    private static final Map<String, String> SHORT =
            Map.of("plog.crash.nested", "0", "plog.stripe.nestedStep", "4", "plog.stripe.seed", "1");

    private static final Set<String> SHORTENED = new HashSet<>();

    @BeforeAll
    static void shorten() {
        SHORT.forEach((name, value) -> {
            if (System.getProperty(name) == null) { // whoever gives a length means it
                System.setProperty(name, value);
                SHORTENED.add(name);
            }
        });
    }

    @AfterAll
    static void lengthen() {
        SHORTENED.forEach(System::clearProperty);
        SHORTENED.clear();
    }

    static List<Mutant> all() {
        List<Mutant> all = new ArrayList<>();
        all.addAll(WritingMutants.all());
        all.addAll(KeepingMutants.all());
        all.addAll(RecoveryMutants.all());
        all.addAll(StripeMutants.all());
        all.addAll(CallerMutants.all());
        all.addAll(OwnershipMutants.all());
        return all;
    }

    /** Some of them alone: {@code -Dplog.test.jvmArgs=-Dplog.mutants=M1,M2}. */
    @Test
    void everyMutantIsCaughtByItsTest() {
        List<Mutant> all = all();
        assertThat(all).hasSizeGreaterThanOrEqualTo(LEAST);
        assertThat(all.stream().map(Mutant::id).distinct()).hasSameSizeAs(all);
        List<String> chosen = List.of(System.getProperty("plog.mutants", "").split(","));
        all.removeIf(mutant -> !chosen.contains("") && !chosen.contains(mutant.id()));
        List<String> survivors = Collections.synchronizedList(new ArrayList<>());
        Parallel.forEach(all.size(), i -> {
            Mutant mutant = all.get((int) i);
            long begin = System.nanoTime();
            boolean caught = isCaught(mutant);
            System.out.println(mutant.id() + (caught ? " caught" : " SURVIVED") + " after "
                    + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) + " ms");
            if (!caught) {
                survivors.add(mutant.id() + ", " + mutant.defect() + ": " + mutant.caughtBy());
            }
        });
        assertThat(survivors).as("mutants that no test noticed").isEmpty();
    }

    private static boolean isCaught(Mutant mutant) {
        int tries = mutant.id().equals(OF_THE_COMPILER) ? 5 : 1;
        while (tries > 0 && PatchedLibrary.of(mutant).passes(mutant.caughtBy())) {
            tries--;
        }
        return tries > 0;
    }

    /** Without it, a test that fails for another reason, or a route that breaks everything, would catch all mutants. */
    @Test
    void withoutADefectTheSameTestsPassOnTheSameRoute() {
        PatchedLibrary unchanged = PatchedLibrary.unchanged(
                all().stream().map(Mutant::file).distinct().toList());
        List<String> tests = all().stream().map(Mutant::caughtBy).distinct().toList();
        List<String> failed = Collections.synchronizedList(new ArrayList<>());
        PatchedLibrary.setCrashStep(4);
        try {
            Parallel.forEach(tests.size(), i -> runUnchanged(unchanged, tests.get((int) i), failed));
        } finally {
            PatchedLibrary.setCrashStep(1);
        }
        assertThat(failed).as("tests that fail without a defect").isEmpty();
    }

    private static void runUnchanged(PatchedLibrary unchanged, String test, List<String> failed) {
        long begin = System.nanoTime();
        boolean passes = unchanged.passes(test);
        System.out.println((passes ? "passes" : "FAILS") + " after "
                + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) + " ms: " + test);
        if (!passes) {
            failed.add(test);
        }
    }

    @Test
    void theDocumentsListTheseMutants() throws Exception {
        Path document = Path.of(System.getProperty("plog.root", ".."), "docs", "mutants.md");
        List<String> documented;
        try (Stream<String> lines = Files.lines(document)) {
            documented = lines.filter(line -> line.startsWith("| M")).toList();
        }
        List<String> listed = all().stream().map(Mutant::tableLine).toList();
        assertThat(documented)
                .as("the table in docs/mutants.md; it should be:%n%s", String.join("\n", listed))
                .isEqualTo(listed);
    }
}
