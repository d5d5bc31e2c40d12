package io.plog.server.access;

import java.util.HashSet;
import java.util.Set;

/**
 * What somebody may do.
 *
 * @param appendsTo names of the targets that requests may be sent to, or {@link #EVERY_TARGET}
 * @param reads whether read-only requests may be sent, and the description of the server be asked for
 * @param administers whether the admin port answers, beyond health
 */
public record Rights(Set<String> appendsTo, boolean reads, boolean administers) {
    /** Stands for the names of all targets. */
    static final String EVERY_TARGET = "*";

    /** Of a stranger. */
    public static final Rights NONE = new Rights(Set.of(), false, false);

    /** Of everybody, on a server that does not ask. */
    public static final Rights ALL = new Rights(Set.of(EVERY_TARGET), true, true);

    /** Whether requests may be sent to this target. */
    public boolean mayAppend(String target) {
        return appendsTo.contains(EVERY_TARGET) || appendsTo.contains(target);
    }

    /** Both. */
    Rights and(Rights other) {
        Set<String> both = new HashSet<>(appendsTo);
        both.addAll(other.appendsTo);
        return new Rights(Set.copyOf(both), reads || other.reads, administers || other.administers);
    }
}
