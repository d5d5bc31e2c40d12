package io.plog.results.model;

import io.plog.measure.plan.JsonLabelled;

/**
 * Something that must be so for the figures of a run or a study to mean what they say.
 *
 * @param id which rule, and after a colon what it was applied to
 * @param ok whether it is so
 * @param severity what it means if it is not
 * @param detail what was found, in sentences
 */
public record Check(String id, boolean ok, Severity severity, String detail) {
    /** Whether the figures are worth nothing for it. */
    public boolean invalidates() {
        return !ok && severity == Severity.INVALID;
    }

    /** What a check that is not ok means. */
    public enum Severity implements JsonLabelled {
        /** Read the figures with care. */
        WARNING,
        /** Don't use them. */
        INVALID;
    }
}
