package io.plog.results.verdict;

import io.plog.results.model.Check;
import io.plog.results.model.Check.Severity;
import java.util.List;
import java.util.Locale;

/**
 * The checks of whatever is measured, in the order of {@code docs/measurement.md}, which says what each means. To add one, add it here
 * and there, and apply it.
 */
public enum CheckRule {
    COMPLETE,
    UNINTERRUPTED,
    EVERY_SAMPLE,
    DESIGN,
    FAILURES,
    ONE_FORCE_EACH,
    RATE,
    SCHEDULE_LAG,
    REPEATED,
    REFUSALS,
    REQUESTS,
    CONNECTIONS,
    DURATIONS,
    STEADY,
    LEVEL,
    BLOCKS,
    BASELINE,
    STABLE_STORAGE,
    PLAUSIBLE,
    WRITE_CACHE,
    MACHINE,
    HICCUPS,
    PROCESSORS,
    STEAL,
    MEMORY,
    CLOCK,
    PREPARATION,
    DISK,
    OTHERS;

    private static final int MOST_NAMED = 4;

    /** As in the results: lower case, with hyphens. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Of a whole run, load, study or disk. */
    Check check(boolean ok, Severity severity, String detail) {
        return new Check(id(), ok, severity, detail);
    }

    /**
     * Of a part of it.
     *
     * @param of a target, a side or a device
     */
    Check check(String of, boolean ok, Severity severity, String detail) {
        return new Check(id() + ":" + of, ok, severity, detail);
    }

    /**
     * Of a whole one, by what breaks the rule.
     *
     * @param broken what does, each in words; empty if the rule is kept
     * @param good a sentence if it is kept
     * @param bad the beginning of one if it is not; what breaks it follows behind a colon
     */
    Check check(List<String> broken, Severity severity, String good, String bad) {
        return check(broken.isEmpty(), severity, broken.isEmpty() ? good : bad + ": " + named(broken) + ".");
    }

    /** The first few of a list, and how many more there are. */
    static String named(List<String> all) {
        String first = String.join("; ", all.subList(0, Math.min(MOST_NAMED, all.size())));
        return all.size() <= MOST_NAMED ? first : first + "; and " + (all.size() - MOST_NAMED) + " more";
    }

    public boolean isOf(Check check) {
        return check.id().equals(id()) || check.id().startsWith(id() + ":");
    }
}
