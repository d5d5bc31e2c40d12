package io.plog.measure.samples;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * How long to warm up before anything counts.
 *
 * @param requests of each cell: exactly so many, or at most, if the evidence decides; 0 to 100 million
 * @param byEvidence whether it ends as soon as every cell is steady
 */
public record Warmup(long requests, boolean byEvidence) {
    /** The word that stands for {@link #untilSteady} in options and plans. */
    public static final String AUTO = "auto";

    /** Most requests of each cell by default. */
    public static final long DEFAULT_MOST = 1_000;

    /** The same where there is time. */
    public static final long PAPER_MOST = 10_000;

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
