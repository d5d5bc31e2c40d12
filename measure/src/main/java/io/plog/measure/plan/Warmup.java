package io.plog.measure.plan;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Duration;

/**
 * How long to warm up before anything counts.
 *
 * @param requests of each cell: exactly so many, or at most, if the evidence decides; 0 to 100 million
 * @param byEvidence whether it ends as soon as every cell is steady and the just-in-time compilers rest
 */
public record Warmup(long requests, boolean byEvidence) {
    /** The word that stands for {@link #untilSteady} in options and plans. */
    public static final String AUTO = "auto";

    /** Most requests of each cell by default. */
    public static final long DEFAULT_MOST = 400;

    /** The same where there is time. */
    public static final long PAPER_MOST = 10_000;

    /** How many more requests of the smallest size, which run the code of all sizes, precede the others at most. */
    private static final long TIMES_OF_SMALLEST = 30;

    /** So many of them come with one of each other size. */
    private static final long SMALLEST_FOR_ONE = 11;

    private static final long AFTER_WAIT = 50;

    private static final Duration MOST_EACH = Duration.ofMillis(60);

    /** How many requests of the smallest size go to a target before all cells are warmed up, at most. */
    public long ofSmallest() {
        return byEvidence ? TIMES_OF_SMALLEST * requests : 0;
    }

    /** How many of each other size are among so many of the smallest. */
    public static long ofOthers(long ofSmallest) {
        return ofSmallest / SMALLEST_FOR_ONE;
    }

    /** How many requests of each cell follow the wait for other trials. */
    public long afterWait() {
        return byEvidence ? AFTER_WAIT : 0;
    }

    /** When a warm-up that the evidence should end is ended without it. */
    public Duration most() {
        return MOST_EACH.multipliedBy(requests);
    }

    /** Exactly so many requests of each cell. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Warmup exactly(long requests) {
        return new Warmup(requests, false);
    }

    /** Until every cell is steady, but no more than so many requests of each. */
    public static Warmup untilSteady(long most) {
        return new Warmup(most, true);
    }

    /**
     * As an option or a plan says it.
     *
     * @throws IllegalArgumentException if it is none
     */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Warmup parse(String text) {
        if (text.equals(AUTO)) {
            return untilSteady(DEFAULT_MOST);
        }
        boolean evidence = text.startsWith(AUTO + ":");
        try {
            return new Warmup(Long.parseLong(evidence ? text.substring(AUTO.length() + 1) : text), evidence);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "warmup is '" + text + "': expected a number, auto, or auto:N for at most N requests", e);
        }
    }

    /** As an option or a plan says it. */
    @JsonValue
    public String label() {
        return (byEvidence ? AUTO + ":" : "") + requests;
    }
}
