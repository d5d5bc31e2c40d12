package io.plog.app.lab.yours;

import java.util.List;

/**
 * What a promise got.
 *
 * @param points all that it is worth, or 0
 * @param why how it was broken, or well kept
 * @param histories that were tried
 * @param picture of the shortest history that breaks it; empty if there is none
 */
record Verdict(String promise, int points, int of, String why, int histories, List<String> picture) {
    /** Begins the reason of one that did not end. */
    static final String STUCK = "stuck";

    boolean isStuck() {
        return why.startsWith(STUCK);
    }
}
