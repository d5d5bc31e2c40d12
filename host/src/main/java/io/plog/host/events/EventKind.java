package io.plog.host.events;

import java.util.Locale;

/** What kinds of events are recorded. {@code docs/measurement.md} says what each one is. */
public enum EventKind {
    /** The JVM stopped its threads to collect garbage. */
    GC,
    /** A thread that wanted to run came to run late. */
    HICCUP,
    /** The hypervisor ran something else on a processor of this machine. */
    STEAL,
    /** A batch whose write and force took long together. */
    FORCE,
    /** A log changed to another segment. */
    SEGMENT_CHANGE,
    /** A segment was initialised ahead of time. */
    SEGMENT_PREPARATION,
    /** A target's state was saved next to its log. */
    CHECKPOINT,
    /** A standby took a log over: from its turn until it served requests. */
    TAKEOVER;

    /** As it is written: lower case, with spaces. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Whether an event of this kind belongs to the machine, not to the process that noticed it. */
    public static boolean isMachines(String label) {
        return label.equals(STEAL.label());
    }
}
