package io.plog.log;

import io.plog.log.testing.MutantSuite;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The tests are tested: each of a list of deliberate defects must make a named test fail. The defect is put into the source
 * of one class, compiled in memory, and run with the rest of the library in a class loader of its own, so nothing of it can
 * get into what is built.
 */
class MutantTest extends MutantSuite {
    /** One more than processors: some of these tests wait until something has not happened for long enough. */
    private static final int THREADS = Runtime.getRuntime().availableProcessors() + 1;

    /**
     * The crash tests with few crashes during recovery, which are most of the work, and always the same ones: each defect must
     * be noticed by them already. At their usual length these tests run by themselves in the same build.
     */
    private static final Map<String, String> SHORT = Map.of(
            CaseStep.PROPERTY, "1", "plog.crash.nested", "0", "plog.stripe.nestedStep", "4", "plog.stripe.seed", "1");

    private final Map<String, @Nullable String> before = new HashMap<>();

    MutantTest() throws Exception {
        super(
                "io.plog.log",
                "M",
                THREADS,
                Scripts.all().stream().map(Scripts.Script::name).toList());
    }

    @BeforeEach
    void shorten() {
        SHORT.forEach((name, value) -> set(name, System.getProperty(name, value))); // a length that is given is meant
    }

    @AfterEach
    void lengthen() {
        before.forEach((name, value) -> {
            if (value == null) {
                System.clearProperty(name);
            } else {
                System.setProperty(name, value);
            }
        });
    }

    private void set(String name, String value) {
        if (!before.containsKey(name)) {
            before.put(name, System.getProperty(name));
        }
        System.setProperty(name, value);
    }

    /** In a few cases each: that they pass in the others is shown by the same tests when they run by themselves. */
    @Override
    @Test
    @Tag("slow")
    protected void withoutADefectTheSameTestsPassOnTheSameRoute() {
        set(CaseStep.PROPERTY, "16");
        super.withoutADefectTheSameTestsPassOnTheSameRoute();
    }
}
