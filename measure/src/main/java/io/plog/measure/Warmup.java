package io.plog.measure;

/**
 * How long to warm up before anything counts.
 *
 * @param requests of each cell: exactly so many, or at most, if the evidence decides; 0 to 100 million
 * @param byEvidence whether it ends as soon as every cell is steady
 */
public record Warmup(long requests, boolean byEvidence) {
    /** The word that stands for {@link #untilSteady} in options and plan files. */
    public static final String AUTO = "auto";

    /** Most requests of each cell by default. */
    public static final long DEFAULT_MOST = 1_000;

    /** The same where there is time. */
    public static final long PAPER_MOST = 10_000;

    /** Exactly so many requests of each cell. */
    public static Warmup exactly(long requests) {
        return new Warmup(requests, false);
    }

    /** Until every cell is steady, but no more than so many requests of each. */
    public static Warmup untilSteady(long most) {
        return new Warmup(most, true);
    }

    /** As an option or a plan file says it. */
    public String label() {
        return (byEvidence ? AUTO + ":" : "") + requests;
    }
}
