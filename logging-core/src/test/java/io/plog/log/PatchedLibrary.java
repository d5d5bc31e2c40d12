package io.plog.log;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectIteration;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.plog.log.testing.Mutant;
import io.plog.log.testing.PatchedPackage;
import java.lang.reflect.Method;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;

/** The library with some of its classes compiled anew from changed sources, and its tests, in a class loader of their own. */
final class PatchedLibrary {
    private static final String PACKAGE = "io.plog.log";
    private static final String CRASH_STEP = "plog.crash.step";

    private final PatchedPackage patched;

    private PatchedLibrary(PatchedPackage patched) {
        this.patched = patched;
    }

    /** The library with a defect. */
    static PatchedLibrary of(Mutant mutant) {
        return new PatchedLibrary(PatchedPackage.of(PACKAGE, mutant));
    }

    /** The library with some classes compiled anew and nothing changed. */
    static PatchedLibrary unchanged(List<String> files) {
        return new PatchedLibrary(PatchedPackage.unchanged(PACKAGE, files));
    }

    /**
     * Of how many crash points the tests try one. It is more than one only where tests run to show that this route breaks
     * nothing: that they pass at every crash point is shown by the same tests outside of it.
     */
    static int crashStep() {
        return Integer.getInteger(CRASH_STEP, 1);
    }

    /** Sets it, for the tests that run from now on; 1 for all. */
    static void setCrashStep(int step) {
        System.setProperty(CRASH_STEP, Integer.toString(step));
    }

    /**
     * Runs one test of the library.
     *
     * @param test {@code Class.method}, and behind a colon the name of one of its {@link Scripts}
     */
    boolean passes(String test) {
        String[] parts = test.split(": ", 2);
        return patched.passes(parts[0], method -> selectorOf(method, parts));
    }

    private static DiscoverySelector selectorOf(Method method, String[] parts) {
        if (parts.length == 1) {
            return selectMethod(method.getDeclaringClass(), method);
        }
        List<String> scripts = Scripts.all().stream().map(Scripts.Script::name).toList();
        if (!scripts.contains(parts[1])) {
            throw new AssertionError("there is no script " + parts[1]);
        }
        return selectIteration(selectMethod(method.getDeclaringClass(), method), scripts.indexOf(parts[1]));
    }
}
