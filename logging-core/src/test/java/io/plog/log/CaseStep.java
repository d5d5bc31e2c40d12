package io.plog.log;

import java.util.SplittableRandom;

/**
 * Of how many cases the exhaustive tests try one: of eight in a build, from one on that chance chooses, so that some builds cover all
 * of them; a failure names its case. {@code -Dplog.test.jvmArgs=-Dplog.log.step=1} tries all.
 */
final class CaseStep {
    static final String PROPERTY = "plog.log.step";

    private static final int USUAL = 8;
    private static final SplittableRandom CHANCE = new SplittableRandom();

    private CaseStep() {}

    static int get() {
        return Integer.getInteger(PROPERTY, USUAL);
    }

    /** Which of the first cases is tried, from 0. */
    static int first() {
        synchronized (CHANCE) {
            return CHANCE.nextInt(get());
        }
    }
}
